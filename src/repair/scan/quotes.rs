//! The pairs of quotes that delimit strings.

use super::*;

/// A pair of quotes that can delimit a string.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quotes {
    /// The opening quote, as it stands.
    pub(super) open: char,
    /// Closing quotes that go with it, the usual one first.
    pub(super) close: &'static [char],
    /// The rule that makes it a double quote; none for the double quote itself.
    pub(super) rule: Option<Rule>,
}

/// The double quote.
pub(super) const DOUBLE: Quotes = Quotes {
    open: '"',
    close: &['"'],
    rule: None,
};

/// Quotes that open a string. A closing curly quote in the place of an opening one is a common slip.
const QUOTES: [Quotes; 15] = [
    DOUBLE,
    Quotes {
        open: '\'',
        close: &['\''],
        rule: Some(Rule::SingleQuotes),
    },
    Quotes {
        open: '`',
        close: &['`'],
        rule: Some(Rule::BacktickQuotes),
    },
    Quotes {
        open: '“',
        close: &['”'],
        rule: Some(Rule::TypographicQuotes),
    },
    Quotes {
        open: '”',
        close: &['”'],
        rule: Some(Rule::TypographicQuotes),
    },
    Quotes {
        open: '„',
        close: &['“', '”'],
        rule: Some(Rule::TypographicQuotes),
    },
    Quotes {
        open: '‟',
        close: &['”'],
        rule: Some(Rule::TypographicQuotes),
    },
    Quotes {
        open: '‘',
        close: &['’'],
        rule: Some(Rule::TypographicQuotes),
    },
    Quotes {
        open: '’',
        close: &['’'],
        rule: Some(Rule::TypographicQuotes),
    },
    Quotes {
        open: '‚',
        close: &['‘', '’'],
        rule: Some(Rule::TypographicQuotes),
    },
    Quotes {
        open: '＂',
        close: &['＂'],
        rule: Some(Rule::TypographicQuotes),
    },
    Quotes {
        open: '＇',
        close: &['＇'],
        rule: Some(Rule::TypographicQuotes),
    },
    Quotes {
        open: '«',
        close: &['»'],
        rule: Some(Rule::GuillemetQuotes),
    },
    Quotes {
        open: '「',
        close: &['」'],
        rule: Some(Rule::GuillemetQuotes),
    },
    Quotes {
        open: '『',
        close: &['』'],
        rule: Some(Rule::GuillemetQuotes),
    },
];

impl Scanner<'_> {
    /// The pair of quotes whose opening one stands at `at`.
    pub(super) fn quote_at(&self, at: usize) -> Option<&'static Quotes> {
        match self.byte(at)? {
            b'"' => Some(&QUOTES[0]),
            b'\'' => Some(&QUOTES[1]),
            b'`' => Some(&QUOTES[2]),
            0x80.. => {
                let character = self.character(at)?;
                QUOTES.iter().find(|quotes| quotes.open == character)
            }
            _ => None,
        }
    }
}
