//! The open brackets: two bits a level, no allocation up to 64 levels.

/// What kind of bracket is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// `{` of an object.
    Object = 0,
    /// `[` of an array.
    Array = 1,
    /// `(` or a set's `{`: an array once its brackets are edited.
    Tuple = 2,
    /// `name(` of a call with named parameters: an object once edited.
    Call = 3,
}

impl Frame {
    /// Whether members (and not elements) stand in it.
    pub(super) const fn is_object(self) -> bool {
        matches!(self, Frame::Object | Frame::Call)
    }

    /// Its closer in the output.
    pub(super) const fn closer(self) -> char {
        if self.is_object() { '}' } else { ']' }
    }

    const fn from_bits(bits: u64) -> Frame {
        match bits & 3 {
            0 => Frame::Object,
            1 => Frame::Array,
            2 => Frame::Tuple,
            _ => Frame::Call,
        }
    }
}

const LEVELS: usize = 32;

/// A stack of frames.
#[derive(Debug, Default)]
pub(super) struct Stack {
    /// Levels 0 to 63.
    low: [u64; 2],
    /// Levels from 64 on.
    high: Vec<u64>,
    depth: usize,
}

impl Clone for Stack {
    /// Copies the open levels alone: without a level beyond the inline ones, nothing is allocated.
    fn clone(&self) -> Stack {
        let words = self.depth.div_ceil(LEVELS).saturating_sub(2);
        Stack {
            low: self.low,
            high: self.high[..words].to_vec(),
            depth: self.depth,
        }
    }
}

impl Stack {
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    pub(super) fn is_empty(&self) -> bool {
        self.depth == 0
    }

    pub(super) fn clear(&mut self) {
        self.depth = 0;
        self.high.clear();
    }

    pub(super) fn push(&mut self, frame: Frame) {
        let (word, bit) = (self.depth / LEVELS, self.depth % LEVELS * 2);
        self.depth += 1;
        let slot = if word < 2 {
            &mut self.low[word]
        } else {
            if self.high.len() == word - 2 {
                self.high.push(0);
            }
            &mut self.high[word - 2]
        };
        *slot = *slot & !(3 << bit) | (frame as u64) << bit;
    }

    pub(super) fn pop(&mut self) -> Option<Frame> {
        let top = self.top()?;
        self.depth -= 1;
        Some(top)
    }

    pub(super) fn top(&self) -> Option<Frame> {
        self.below(0)
    }

    /// The frame `count` levels under the top.
    pub(super) fn below(&self, count: usize) -> Option<Frame> {
        let level = self.depth.checked_sub(count + 1)?;
        let word = level / LEVELS;
        let bits = if word < 2 {
            self.low[word]
        } else {
            self.high[word - 2]
        };
        Some(Frame::from_bits(bits >> (level % LEVELS * 2)))
    }

    /// The closers of all open levels, innermost first.
    pub(super) fn closers(&self) -> String {
        (0..self.depth)
            .filter_map(|count| self.below(count))
            .map(Frame::closer)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_in_reverse_across_the_inline_limit() {
        let kinds = [Frame::Object, Frame::Array, Frame::Tuple, Frame::Call];
        let mut stack = Stack::default();
        for level in 0..300 {
            stack.push(kinds[level % 4]);
        }
        assert_eq!(stack.below(299), Some(Frame::Object));
        for level in (0..300).rev() {
            assert_eq!(stack.pop(), Some(kinds[level % 4]));
            stack.push(kinds[(level + 1) % 4]);
            stack.pop();
        }
        assert_eq!(stack.pop(), None);
    }
}
