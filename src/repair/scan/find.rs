//! Finding the next byte that means something in a string.

pub(super) const ONES: u64 = 0x0101_0101_0101_0101;

pub(super) const HIGH: u64 = 0x8080_8080_8080_8080;

/// The high bit of each byte that is a double quote, a backslash or a control character; bits above the lowest one that
/// is set may be wrong. Turning bit 1 over puts the double quote right behind the control characters, and no other byte
/// below it.
#[inline(always)]
pub(super) const fn special_bits(word: u64) -> u64 {
    let low = word ^ (ONES * 0x02);
    let slash = word ^ (ONES * b'\\' as u64);
    (low.wrapping_sub(ONES * 0x21) & !low | slash.wrapping_sub(ONES) & !slash) & HIGH
}

/// The next byte at or behind `from` that is a double quote, a backslash or a control character; the length of `bytes`
/// if there is none.
#[inline]
pub(super) fn special(bytes: &[u8], from: usize) -> usize {
    special_or(bytes, from, b'"')
}

/// As [`special`], or the byte `other`. Eight bytes at a time: strings are most of what is read.
#[inline]
pub(super) fn special_or(bytes: &[u8], from: usize, other: u8) -> usize {
    let mut at = from;
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*chunk);
        let mut found = special_bits(word);
        if other != b'"' {
            let other = word ^ (ONES * other as u64);
            found |= other.wrapping_sub(ONES) & !other & HIGH;
        }
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(byte) = bytes.get(at) {
        if matches!(byte, b'"' | b'\\' | 0..=0x1F) || *byte == other {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_bytes_are_found_at_every_offset() {
        for byte in 0..=255u8 {
            let is_special = matches!(byte, b'"' | b'\\' | 0..=0x1F);
            for (place, filler) in (0..20).flat_map(|place| [(place, b'\x7f'), (place, 0xFF)]) {
                let mut bytes = vec![filler; 20];
                bytes[place] = byte;
                let found = if is_special { place } else { 20 };
                for from in 0..=place {
                    assert_eq!(
                        special(&bytes, from),
                        found,
                        "{byte} at {place} from {from}"
                    );
                    let other = if byte == filler { from } else { place };
                    assert_eq!(special_or(&bytes, from, byte), other, "{byte} at {place}");
                }
                assert_eq!(special(&bytes, place + 1), 20);
            }
        }
        assert_eq!(
            special("ñ日本語🚀 plain text".as_bytes(), 0),
            "ñ日本語🚀 plain text".len()
        );
    }
}
