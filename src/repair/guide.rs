//! What a tool's schema proves about a value: edits on a valid text, told in places of that text.

use serde_json::Value;

use super::edit::Edits;
use super::rule::{Level, Rule, RuleSet};
use super::schema::Schema;
use super::span::Span;
use super::tool::ToolContext;
use super::tree::{Kind, Node, Tree, decode, encode};
use super::verdict::Verdict;
use super::{check, scan, strategy};

/// How deep strings inside strings are opened.
const DEEPEST: usize = 4;

/// Names of objects that some models put around the arguments.
const ENVELOPES: [&str; 14] = [
    "arguments",
    "args",
    "parameters",
    "params",
    "input",
    "inputs",
    "properties",
    "kwargs",
    "tool_input",
    "json",
    "function_args",
    "action_input",
    "payload",
    "request",
];

/// The rules that a schema can ask for.
const RULES: RuleSet = RuleSet::of(&[
    Rule::StringifiedValue,
    Rule::ScalarType,
    Rule::SingleItem,
    Rule::ExtraEnvelope,
    Rule::LeakedMarkup,
    Rule::QuotedDocument,
]);

/// The edits that `schema` proves on `text`, which is valid JSON. No edit where it says nothing.
pub(super) fn guide(text: &str, schema: &Schema, tool: &ToolContext, rules: RuleSet) -> Edits {
    let mut guide = Guide {
        schema,
        tool,
        rules: rules.and(RULES),
        inner: rules.without(Rule::PlainString),
        edits: Edits::new(text.len() as u32),
        depth: 0,
    };
    guide.root(&Tree::new(text));
    guide.edits
}

struct Guide<'a> {
    schema: &'a Schema,
    tool: &'a ToolContext,
    rules: RuleSet,
    /// The rules for a text inside a string.
    inner: RuleSet,
    edits: Edits,
    depth: usize,
}

impl<'a> Guide<'a> {
    fn root(&mut self, tree: &Tree<'_>) {
        let schema = self.schema.value();
        if let Some(inner) = self.envelope(tree) {
            let (outer, inner_span) = (tree.nodes[0].span, tree.nodes[inner].span);
            let fix = self.edits.next_fix();
            self.edits.push(
                Rule::ExtraEnvelope,
                fix,
                Span::new(outer.start, inner_span.start),
                "",
            );
            self.value(tree, inner, schema);
            self.edits.push(
                Rule::ExtraEnvelope,
                fix,
                Span::new(inner_span.end, outer.end),
                "",
            );
            return;
        }
        if !self.leaked_markup(tree) {
            self.value(tree, 0, schema);
        }
    }

    /// The one member of the root whose value is the arguments, where the schema does not know that member.
    fn envelope(&self, tree: &Tree<'_>) -> Option<usize> {
        if !self.rules.has(Rule::ExtraEnvelope)
            || tree.nodes.first()?.kind != Kind::Object
            || !self.schema.wants_object()
        {
            return None;
        }
        let members: Vec<usize> = tree.children(0).collect();
        let declared = |index: &usize| self.schema.declares(&tree.name(*index));
        if members.iter().any(declared) {
            return None;
        }
        let is_envelope = |index: &&usize| {
            ENVELOPES.contains(&tree.name(**index).as_str())
                && matches!(tree.nodes[**index].kind, Kind::Object | Kind::Text)
        };
        let inner = *members.iter().find(is_envelope)?;
        let beside = members
            .iter()
            .filter(|index| **index != inner)
            .all(|index| self.says_nothing_new(tree, *index));
        let (fits, names) = match tree.nodes[inner].kind {
            Kind::Object => self.suits(tree, inner),
            _ => {
                let content = decode(tree.raw(inner));
                if !self.rules.has(Rule::StringifiedValue) || check(&content) != Verdict::Valid {
                    return None;
                }
                let inside = Tree::new(&content);
                if inside.nodes.first()?.kind != Kind::Object {
                    return None;
                }
                self.suits(&inside, 0)
            }
        };
        (beside && fits && (names || members.len() > 1)).then_some(inner)
    }

    /// Whether a member beside the arguments only says that this is a call of this tool, so that nothing is lost with it.
    fn says_nothing_new(&self, tree: &Tree<'_>, index: usize) -> bool {
        if tree.nodes[index].kind != Kind::Text {
            return false;
        }
        let value = decode(tree.raw(index));
        match tree.name(index).as_str() {
            "name" | "tool" | "tool_name" | "function" => {
                self.tool.name.as_ref().is_none_or(|tool| *tool == value)
            }
            "type" => matches!(
                value.as_str(),
                "function" | "function_call" | "tool_call" | "tool_use"
            ),
            "id" | "call_id" => ["call_", "toolu_", "tooluse_", "fc_"]
                .iter()
                .any(|mark| value.starts_with(mark)),
            _ => false,
        }
    }

    /// Whether an object can be the arguments, and whether it has any of their names.
    fn suits(&self, tree: &Tree<'_>, object: usize) -> (bool, bool) {
        let fits = self
            .schema
            .required()
            .all(|name| tree.member(object, name).is_some())
            && tree
                .children(object)
                .all(|child| self.schema.declares(&tree.name(child)) || !self.schema.is_closed());
        let names = tree
            .children(object)
            .any(|child| self.schema.declares(&tree.name(child)));
        (fits, names)
    }

    /// Walks a value and its schema together.
    fn value(&mut self, tree: &Tree<'_>, index: usize, schema: &Value) {
        let schema = self.schema.resolve(schema);
        let node = tree.nodes[index];
        if let Some(choices) = schema
            .get("anyOf")
            .or_else(|| schema.get("oneOf"))
            .and_then(Value::as_array)
        {
            return self.one_of(tree, index, choices);
        }
        if !allows(schema, node, tree.raw(index)) {
            return self.wrong_type(tree, index, schema);
        }
        match node.kind {
            Kind::Object => {
                for child in tree.children(index) {
                    let inner = schema
                        .get("properties")
                        .and_then(|known| known.get(tree.name(child)));
                    if let Some(inner) = inner.or_else(|| {
                        schema
                            .get("additionalProperties")
                            .filter(|more| more.is_object())
                    }) {
                        self.value(tree, child, inner);
                    }
                }
            }
            Kind::Array => {
                if let Some(items) = schema.get("items").filter(|items| items.is_object()) {
                    for child in tree.children(index) {
                        self.value(tree, child, items);
                    }
                }
            }
            _ => {}
        }
    }

    /// Several schemas are allowed: none is touched if one takes the value; else the only one that is not null leads.
    fn one_of(&mut self, tree: &Tree<'_>, index: usize, choices: &[Value]) {
        let node = tree.nodes[index];
        let resolved: Vec<&Value> = choices
            .iter()
            .map(|choice| self.schema.resolve(choice))
            .collect();
        let taking: Vec<&&Value> = resolved
            .iter()
            .filter(|choice| allows(choice, node, tree.raw(index)))
            .collect();
        match taking[..] {
            [only] => self.value(tree, index, only),
            [] => {
                let real: Vec<&&Value> = resolved
                    .iter()
                    .filter(|choice| choice.get("type").and_then(Value::as_str) != Some("null"))
                    .collect();
                if let [only] = real[..] {
                    self.value(tree, index, only);
                }
            }
            _ => {}
        }
    }

    /// The value has a type that its schema does not take.
    fn wrong_type(&mut self, tree: &Tree<'_>, index: usize, schema: &Value) {
        let node = tree.nodes[index];
        let raw = tree.raw(index);
        let wants = |kind: &str| types(schema).any(|wanted| wanted == kind);
        if node.kind == Kind::Text {
            let content = decode(raw);
            if (wants("object") || wants("array")) && self.stringified(node, &content, schema) {
                return;
            }
            if let Some(scalar) = scalar_of(&content, schema) {
                return self.replace(Rule::ScalarType, node, &scalar);
            }
        }
        if wants("string") && matches!(node.kind, Kind::Number | Kind::Bool) {
            return self.replace(Rule::ScalarType, node, &format!("\"{raw}\""));
        }
        // A text that looks like a list is none, and an empty one names no item.
        let is_list_text = node.kind == Kind::Text && {
            let content = decode(raw);
            let content = content.trim_start();
            content.is_empty() || content.starts_with(['[', '{'])
        };
        if wants("array")
            && !matches!(node.kind, Kind::Array | Kind::Null)
            && !is_list_text
            && self.rules.has(Rule::SingleItem)
        {
            let items = schema.get("items").map(|items| self.schema.resolve(items));
            if items.is_some_and(|items| types(items).next().is_some() && allows(items, node, raw))
            {
                let fix = self.edits.next_fix();
                self.edits
                    .push(Rule::SingleItem, fix, Span::at(node.span.start), "[");
                if let Some(items) = items {
                    self.value(tree, index, items);
                }
                self.edits
                    .push(Rule::SingleItem, fix, Span::at(node.span.end), "]");
            }
        }
    }

    fn replace(&mut self, rule: Rule, node: Node, text: &str) {
        if self.rules.has(rule) {
            let fix = self.edits.next_fix();
            self.edits.push(rule, fix, node.span, text);
        }
    }

    /// A string whose content is the object or array that the schema wants. Faults inside make it a guess.
    fn stringified(&mut self, node: Node, content: &str, schema: &Value) -> bool {
        if self.depth == DEEPEST || !content.trim_start().starts_with(['{', '[', '"']) {
            return false;
        }
        let (text, level) = if check(content) == Verdict::Valid {
            (content.to_owned(), Level::Safe)
        } else {
            let rung = strategy::widest(Level::Guess);
            let inner = scan::repair_plain(content, rung, self.inner);
            if !inner.is_valid() {
                return false;
            }
            (inner.edits.apply(content, |_| true), Level::Guess)
        };
        let mut inner = Guide {
            schema: self.schema,
            tool: self.tool,
            rules: self.rules,
            inner: self.inner,
            edits: Edits::new(text.len() as u32),
            depth: self.depth + 1,
        };
        let tree = Tree::new(&text);
        let Some(root) = tree.nodes.first() else {
            return false;
        };
        let takes = allows(schema, *root, tree.raw(0));
        if !takes && root.kind != Kind::Text {
            return false;
        }
        inner.value(&tree, 0, schema);
        let output = inner.edits.apply(&text, |_| true);
        if !takes && inner.edits.is_empty() {
            return false;
        }
        let worst = inner
            .edits
            .iter()
            .map(|edit| edit.rule.level())
            .max()
            .unwrap_or(Level::Safe)
            .max(level);
        let rule = if worst == Level::Safe {
            Rule::StringifiedValue
        } else {
            Rule::QuotedDocument
        };
        if !self.rules.has(rule) {
            return false;
        }
        self.replace(rule, node, output.trim());
        true
    }

    /// `{"a": "x</a>\n<parameter name=\"b\">y"}`: a string that swallowed the parameters behind it.
    fn leaked_markup(&mut self, tree: &Tree<'_>) -> bool {
        if !self.rules.has(Rule::LeakedMarkup)
            || tree
                .nodes
                .first()
                .is_none_or(|root| root.kind != Kind::Object)
        {
            return false;
        }
        let missing: Vec<&str> = self
            .schema
            .properties()
            .filter(|name| tree.member(0, name).is_none())
            .collect();
        let required_missing = self.schema.required().any(|name| missing.contains(&name));
        if !required_missing {
            return false;
        }
        for child in tree
            .children(0)
            .filter(|child| tree.nodes[*child].kind == Kind::Text)
        {
            let content = decode(tree.raw(child));
            let Some((own, parameters)) = split_markup(&content, &tree.name(child)) else {
                continue;
            };
            if parameters.is_empty()
                || !parameters
                    .iter()
                    .all(|(name, _)| missing.contains(&name.as_str()))
            {
                continue;
            }
            let mut text = encode(own);
            for (name, value) in &parameters {
                let schema = self
                    .schema
                    .value()
                    .get("properties")
                    .and_then(|known| known.get(name))
                    .unwrap_or(&Value::Null);
                let wants_text = types(self.schema.resolve(schema)).all(|kind| kind == "string");
                let value = if !wants_text && check(value) == Verdict::Valid {
                    value.trim().to_owned()
                } else {
                    encode(value)
                };
                text.push_str(&format!(",{}:{value}", encode(name)));
            }
            self.replace(Rule::LeakedMarkup, tree.nodes[child], &text);
            return true;
        }
        false
    }
}

/// A string value up to its own closing tag, and the parameters that follow it.
fn split_markup<'t>(content: &'t str, name: &str) -> Option<(&'t str, Vec<(String, String)>)> {
    const OPEN: &str = "<parameter name=\"";
    let own_close = format!("</{name}>");
    let first = content.find(OPEN)?;
    let before = &content[..first];
    let end = [own_close.as_str(), "</parameter>"]
        .iter()
        .filter_map(|close| before.find(close))
        .min();
    let own = match end {
        Some(end) => &before[..end],
        None => before.trim_end_matches('\n'),
    };
    let mut parameters = Vec::new();
    let mut rest = &content[first..];
    while let Some(at) = rest.find(OPEN) {
        let (name, behind) = rest[at + OPEN.len()..].split_once("\">")?;
        let stop = behind.find(OPEN).unwrap_or(behind.len());
        let value = &behind[..stop];
        let closes = [
            "</parameter>".to_owned(),
            format!("</{name}>"),
            "</invoke>".to_owned(),
        ];
        let end = closes
            .iter()
            .filter_map(|close| value.find(close.as_str()))
            .min();
        parameters.push((
            name.to_owned(),
            end.map_or(value.trim_end_matches('\n'), |end| &value[..end])
                .to_owned(),
        ));
        rest = &behind[stop..];
    }
    Some((own, parameters))
}

/// The types a schema names.
fn types(schema: &Value) -> impl Iterator<Item = &str> {
    let (one, many) = match schema.get("type") {
        Some(Value::String(kind)) => (Some(kind.as_str()), None),
        Some(Value::Array(kinds)) => (None, Some(kinds)),
        _ => (None, None),
    };
    one.into_iter()
        .chain(many.into_iter().flatten().filter_map(Value::as_str))
}

/// Whether a schema's types take a value. A schema without types takes all.
fn allows(schema: &Value, node: Node, raw: &str) -> bool {
    let mut any = false;
    for kind in types(schema) {
        any = true;
        let takes = match kind.to_ascii_lowercase().as_str() {
            "object" => node.kind == Kind::Object,
            "array" => node.kind == Kind::Array,
            "string" => node.kind == Kind::Text,
            "number" => node.kind == Kind::Number,
            "integer" => node.kind == Kind::Number && is_integer(raw),
            "boolean" => node.kind == Kind::Bool,
            "null" => node.kind == Kind::Null,
            _ => true,
        };
        if takes {
            return true;
        }
    }
    !any
}

/// JSON Schema counts `1.0` as an integer (section 4.2.3 of the core specification, 2020-12).
fn is_integer(raw: &str) -> bool {
    match raw.split_once('.') {
        None => !raw.contains(['e', 'E']),
        Some((_, fraction)) => fraction.bytes().all(|byte| byte == b'0'),
    }
}

/// The scalar of the wanted type that a string spells, exactly as JSON writes it.
fn scalar_of(content: &str, schema: &Value) -> Option<String> {
    let text = content.trim();
    if text.is_empty() || text.len() > 400 {
        return None;
    }
    let literal = text.to_ascii_lowercase();
    for kind in types(schema) {
        let is_number = text.starts_with(|c: char| c == '-' || c.is_ascii_digit())
            && check(text) == Verdict::Valid;
        match kind {
            "integer" if is_number && is_integer(text) => return Some(text.to_owned()),
            "number" if is_number => return Some(text.to_owned()),
            "boolean" if matches!(literal.as_str(), "true" | "false") => return Some(literal),
            "null" if literal == "null" => return Some(literal),
            _ => {}
        }
    }
    None
}
