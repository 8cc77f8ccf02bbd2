//! Whether two JSON texts are the same value: order of members and layout do not count, digits do, exactly.

use super::node::Node;

/// Levels beyond which two texts count as different; arguments of tools are flat.
const MAX_DEPTH: usize = 128;

/// Whether two JSON texts stand for the same value. Numbers are compared as decimals, not as doubles; of members
/// with the same name the last one counts.
pub fn same_json(left: &str, right: &str) -> bool {
    match (Node::new(left.as_bytes()), Node::new(right.as_bytes())) {
        (Some(left), Some(right)) => same(left, right, 0),
        _ => false,
    }
}

fn same(left: Node<'_>, right: Node<'_>, depth: usize) -> bool {
    if MAX_DEPTH < depth {
        return false;
    }
    if left.is_object() && right.is_object() {
        let (mut left, mut right) = (members(left), members(right));
        left.len() == right.len()
            && left
                .drain(..)
                .zip(right.drain(..))
                .all(|((name, value), (other_name, other))| {
                    name == other_name && same(value, other, depth + 1)
                })
    } else if left.is_array() && right.is_array() {
        let (mut left, mut right) = (left.items(), right.items());
        loop {
            match (left.next(), right.next()) {
                (None, None) => return true,
                (Some(value), Some(other)) if same(value, other, depth + 1) => {}
                _ => return false,
            }
        }
    } else if left.is_string() && right.is_string() {
        left.text() == right.text()
    } else {
        let (left, right) = (left.bytes(), right.bytes());
        left == right
            || matches!((decimal(left), decimal(right)), (Some(left), Some(right)) if left == right)
    }
}

/// The members of an object by name, each name once.
fn members(node: Node<'_>) -> Vec<(String, Node<'_>)> {
    let mut members: Vec<(String, Node<'_>)> = node
        .members()
        .map(|(name, value)| (super::node::decode_name(name), value))
        .collect();
    members.reverse();
    members.sort_by(|left, right| left.0.cmp(&right.0));
    members.dedup_by(|later, first| later.0 == first.0);
    members
}

/// A number as sign, digits without zeros at the ends, and the power of ten of the last digit.
fn decimal(text: &[u8]) -> Option<(bool, Vec<u8>, i64)> {
    let text = std::str::from_utf8(text).ok()?;
    let (is_negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
    if !digits.iter().all(u8::is_ascii_digit) || digits.is_empty() {
        return None;
    }
    let exponent: i64 = exponent.trim_start_matches('+').parse().ok()?;
    let mut power = exponent.checked_sub(fraction.len() as i64)?;
    while digits.last() == Some(&b'0') {
        digits.pop();
        power += 1;
    }
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    digits.drain(..zeros);
    if digits.is_empty() {
        return Some((is_negative, digits, 0));
    }
    Some((is_negative, digits, power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_layout_do_not_count() {
        for (left, right, wanted) in [
            (
                r#"{"a":1,"b":[true,null]}"#,
                r#"{ "b" : [true, null], "a" : 1 }"#,
                true,
            ),
            (r#"{"a":1}"#, r#"{"a":1,"b":2}"#, false),
            (r#"{"a":1,"a":2}"#, r#"{"a":2}"#, true),
            (r#"{"a":1,"a":2}"#, r#"{"a":1}"#, false),
            (r#"[1,2]"#, r#"[2,1]"#, false),
            (r#"[1]"#, r#"[1,1]"#, false),
            (r#""\u0061""#, r#""a""#, true),
            (r#"{"\u0061":1}"#, r#"{"a":1}"#, true),
            ("1.0", "1", true),
            ("100", "1e2", true),
            ("0.10", "1E-1", true),
            ("-0", "0", false),
            ("9007199254740993", "9007199254740992", false),
            ("1", "\"1\"", false),
            ("null", "false", false),
            ("", "", false),
        ] {
            assert_eq!(same_json(left, right), wanted, "{left} {right}");
        }
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert!(!same_json(&deep, &deep));
    }
}
