//! The output as a tree: one node a value, in the order of the text, without recursion.

use std::collections::HashSet;

use crate::repair::Span;

/// A value and its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The member's name with its quotes; empty for elements and the top.
    pub name: Span,
    /// The value.
    pub span: Span,
    /// How many values it stands in.
    pub depth: usize,
    /// Index of the first node that is not inside it.
    pub next: usize,
    /// How many members or elements it has; `None` for strings, numbers and literals.
    pub members: Option<usize>,
}

/// All values of a valid text, and which of them are folded.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    folded: HashSet<usize>,
    /// Indices of the nodes that are listed now.
    listed: Vec<usize>,
    /// Index into `listed` of the chosen one.
    pub at: usize,
    /// First one on the screen.
    pub top: usize,
}

impl Tree {
    /// The tree of a valid text: O(bytes).
    pub fn new(text: &str) -> Tree {
        let mut tree = Tree {
            nodes: nodes(text),
            folded: HashSet::new(),
            listed: Vec::new(),
            at: 0,
            top: 0,
        };
        tree.list();
        tree
    }

    /// The nodes that are listed from `top` on.
    pub fn listed(&self, top: usize) -> impl Iterator<Item = (usize, &Node)> {
        self.listed
            .iter()
            .skip(top)
            .filter_map(|index| Some((*index, self.nodes.get(*index)?)))
    }

    /// How many nodes are listed.
    pub fn len(&self) -> usize {
        self.listed.len()
    }

    /// Whether there is nothing to list.
    pub fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }

    /// Whether a node is folded.
    pub fn is_folded(&self, index: usize) -> bool {
        self.folded.contains(&index)
    }

    /// The chosen node.
    pub fn chosen(&self) -> Option<&Node> {
        self.nodes.get(*self.listed.get(self.at)?)
    }

    /// Moves the choice and keeps it among `rows`.
    pub fn go(&mut self, to: usize, rows: usize) {
        self.at = to.min(self.listed.len().saturating_sub(1));
        self.top = self
            .top
            .min(self.at)
            .max((self.at + 1).saturating_sub(rows.max(1)));
    }

    /// Folds the chosen node, or the one it stands in; or unfolds it.
    pub fn fold(&mut self, fold: bool, rows: usize) {
        let Some(&index) = self.listed.get(self.at) else {
            return;
        };
        let node = self.nodes[index];
        let target = match fold {
            true if node.members.is_none_or(|members| members == 0)
                || self.folded.contains(&index) =>
            {
                let outer = (0..index)
                    .rev()
                    .find(|other| self.nodes[*other].depth < node.depth);
                outer.unwrap_or(index)
            }
            _ => index,
        };
        let changed = if fold {
            self.folded.insert(target)
        } else {
            self.folded.remove(&target)
        };
        if changed {
            self.list();
        }
        let at = self.listed.binary_search(&target).unwrap_or(self.at);
        self.go(at, rows);
    }

    /// Chooses the innermost listed node that holds byte `at`.
    pub fn reveal(&mut self, at: u32, rows: usize) {
        let holds = |index: &&usize| {
            let node = &self.nodes[**index];
            let start = if node.name.is_empty() {
                node.span.start
            } else {
                node.name.start
            };
            start <= at
        };
        let found = self.listed.iter().take_while(holds).count();
        self.go(found.saturating_sub(1), rows);
    }

    /// Chooses the innermost node that holds byte `at`, and opens the branches above it.
    pub fn open_to(&mut self, at: u32, rows: usize) {
        let before = self.folded.len();
        let nodes = &self.nodes;
        self.folded.retain(|index| {
            let span = nodes[*index].span;
            !(span.start < at && at < span.end)
        });
        if self.folded.len() != before {
            self.list();
        }
        self.reveal(at, rows);
    }

    fn list(&mut self) {
        self.listed.clear();
        let mut index = 0;
        while index < self.nodes.len() {
            self.listed.push(index);
            index = if self.folded.contains(&index) {
                self.nodes[index].next
            } else {
                index + 1
            };
        }
    }
}

/// The JSON Pointer (RFC 6901) of the innermost value that holds byte `at`, its name included: O(bytes).
pub fn pointer(text: &str, at: u32) -> String {
    let nodes = nodes(text);
    // For each open level: the pointer to it, and how many values were seen in it.
    let mut levels: Vec<(String, usize)> = Vec::new();
    let mut found = String::new();
    for node in &nodes {
        levels.truncate(node.depth);
        let own = match levels.last_mut() {
            None => String::new(),
            Some((outer, seen)) => {
                *seen += 1;
                let step = match node.name.is_empty() {
                    true => (*seen - 1).to_string(),
                    false => {
                        let name = node.name.text(text);
                        let name: String =
                            serde_json::from_str(name).unwrap_or_else(|_| name.to_owned());
                        name.replace('~', "~0").replace('/', "~1")
                    }
                };
                format!("{outer}/{step}")
            }
        };
        let start = if node.name.is_empty() {
            node.span.start
        } else {
            node.name.start
        };
        if start <= at && at < node.span.end.max(start + 1) {
            found.clone_from(&own);
        }
        levels.push((own, 0));
    }
    found
}

/// The nodes of a text that is known to be valid; on another text it ends early, and never panics.
fn nodes(text: &str) -> Vec<Node> {
    let bytes = text.as_bytes();
    let mut nodes: Vec<Node> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut name = Span::default();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' | b',' | b':' => at += 1,
            b'}' | b']' => {
                at += 1;
                let next = nodes.len();
                if let Some(node) = open.pop().and_then(|index| nodes.get_mut(index)) {
                    node.span.end = at as u32;
                    node.next = next;
                }
            }
            _ => {
                let end = match byte {
                    b'{' | b'[' => at + 1,
                    b'"' => string_end(bytes, at),
                    _ => word_end(bytes, at),
                };
                let span = Span::new(at as u32, end as u32);
                at = end;
                if *byte == b'"'
                    && name.is_empty()
                    && is_name(bytes, end, open.last().map(|index| nodes[*index]))
                {
                    name = span;
                    continue;
                }
                if let Some(node) = open.last().and_then(|index| nodes.get_mut(*index)) {
                    node.members = node.members.map(|members| members + 1);
                }
                let index = nodes.len();
                let container = matches!(byte, b'{' | b'[');
                nodes.push(Node {
                    name: std::mem::take(&mut name),
                    span,
                    depth: open.len(),
                    next: index + 1,
                    members: container.then_some(0),
                });
                if container {
                    open.push(index);
                }
            }
        }
    }
    nodes
}

/// Whether a string that ends at `end` is a member name: it stands in an object and a colon follows.
fn is_name(bytes: &[u8], end: usize, outer: Option<Node>) -> bool {
    let object = outer.is_some_and(|node| bytes.get(node.span.start as usize) == Some(&b'{'));
    let follower = bytes[end..].iter().find(|byte| !byte.is_ascii_whitespace());
    object && follower == Some(&b':')
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn word_end(bytes: &[u8], start: usize) -> usize {
    let ends = |byte: &u8| {
        matches!(
            byte,
            b',' | b':' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r'
        )
    };
    bytes[start + 1..]
        .iter()
        .position(ends)
        .map_or(bytes.len(), |length| start + 1 + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, tree: &Tree) -> Vec<String> {
        let one = |(index, node): (usize, &Node)| {
            let value = match node.members {
                Some(members) => format!(
                    "({members}){}",
                    if tree.is_folded(index) { "+" } else { "" }
                ),
                None => node.span.text(text).to_owned(),
            };
            format!("{}{}{value}", "-".repeat(node.depth), node.name.text(text))
        };
        tree.listed(0).map(one).collect()
    }

    #[test]
    fn values_stand_in_order_with_names_and_depths() {
        let text = r#"{"a": [1, {"b": "}\"]"}, []], "c":null}"#;
        let tree = Tree::new(text);
        assert_eq!(
            shown(text, &tree),
            [
                "(2)",
                "-\"a\"(3)",
                "--1",
                "--(1)",
                "---\"b\"\"}\\\"]\"",
                "--(0)",
                "-\"c\"null"
            ]
        );
        assert_eq!(tree.nodes[1].span.text(text), r#"[1, {"b": "}\"]"}, []]"#);
        for (text, count) in [("1", 1), ("\"x\"", 1), ("", 0), ("[[[[", 4), ("{\"a", 2)] {
            assert_eq!(Tree::new(text).len(), count, "{text}");
        }
    }

    #[test]
    fn pointers_name_the_innermost_value() {
        let text = r#"{"a": [1, {"b/c": 22}], "d": 3}"#;
        for (part, path) in [
            ("{\"a", ""),
            ("\"a", "/a"),
            ("1,", "/a/0"),
            ("\"b", "/a/1/b~1c"),
            ("22", "/a/1/b~1c"),
            ("3", "/d"),
        ] {
            let at = text.find(part).unwrap() as u32;
            assert_eq!(pointer(text, at), path, "{part}");
        }
        assert_eq!(pointer("", 0), "");
        assert_eq!(pointer("{\"a\": 012", 7), "/a");
    }

    #[test]
    fn folding_hides_what_is_inside() {
        let text = r#"{"a": [1, 2], "c": 3}"#;
        let mut tree = Tree::new(text);
        tree.go(2, 10);
        tree.fold(true, 10);
        assert_eq!(shown(text, &tree), ["(2)", "-\"a\"(2)+", "-\"c\"3"]);
        assert_eq!(tree.at, 1);
        tree.fold(false, 10);
        assert_eq!(tree.len(), 5);
        tree.fold(true, 10);
        tree.fold(true, 10);
        assert_eq!(shown(text, &tree), ["(2)+"]);
    }

    #[test]
    fn a_hundred_thousand_levels_are_no_trouble() {
        let text = "[".repeat(100_000) + &"]".repeat(100_000);
        assert_eq!(Tree::new(&text).len(), 100_000);
    }
}
