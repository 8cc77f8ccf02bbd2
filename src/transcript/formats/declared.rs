//! Tools that a request declares, and whether a call fits them: only what a provider rejects before anything runs.

use crate::transcript::fact::Verdict;
use crate::transcript::node::Node;

/// How deep schemas are followed.
const MAX_DEPTH: usize = 8;

/// The `tools` of a request, in the shapes of OpenAI, Anthropic and Gemini.
#[derive(Clone, Copy)]
pub(super) struct Declared<'a>(Option<Node<'a>>);

impl<'a> Declared<'a> {
    /// The tools of a request; `None` for a request without.
    pub(super) fn new(tools: Option<Node<'a>>) -> Declared<'a> {
        Declared(tools.filter(|tools| tools.items().next().is_some()))
    }

    /// What a provider says to arguments that parse; `Fine` where nothing is declared.
    pub(super) fn verdict(self, tool: &str, arguments: &str) -> Verdict {
        let Some(tools) = self.0 else {
            return Verdict::Fine;
        };
        let Some(schema) = tools.items().find_map(|declared| schema_of(declared, tool)) else {
            return Verdict::UnknownTool;
        };
        let (Some(schema), Some(value)) = (schema, Node::new(arguments.as_bytes())) else {
            return Verdict::Fine;
        };
        match fits(value, schema, 0) {
            true => Verdict::Fine,
            false => Verdict::Schema,
        }
    }
}

/// The schema of a tool, if this declares it: `{function:{name,parameters}}`, `{name,parameters}`, `{name,input_schema}`.
fn schema_of<'a>(declared: Node<'a>, tool: &str) -> Option<Option<Node<'a>>> {
    let [function, name, parameters, input, functions] = declared.fields([
        "function",
        "name",
        "parameters",
        "input_schema",
        "functionDeclarations",
    ]);
    if let Some(functions) = functions {
        return functions
            .items()
            .find_map(|function| schema_of(function, tool));
    }
    if let Some(function) = function {
        return schema_of(function, tool);
    }
    name.is_some_and(|name| name.is(tool))
        .then_some(parameters.or(input))
}

fn fits(value: Node<'_>, schema: Node<'_>, depth: usize) -> bool {
    let [kind, required, properties, additional, items] = schema.fields([
        "type",
        "required",
        "properties",
        "additionalProperties",
        "items",
    ]);
    if MAX_DEPTH < depth {
        return true;
    }
    if kind.is_some_and(|kind| !is_of_type(value, kind)) {
        return false;
    }
    if value.is_object() {
        let is_there = |name: Node<'_>| name.text().is_none_or(|name| value.get(&name).is_some());
        if !required.into_iter().flat_map(Node::items).all(is_there) {
            return false;
        }
        let is_closed = additional.is_some_and(|additional| additional.bytes() == b"false");
        return value.members().all(|(name, member)| {
            let declared =
                properties.and_then(|all| all.members().find(|(other, _)| *other == name));
            match declared {
                Some((_, schema)) => fits(member, schema, depth + 1),
                None => !is_closed,
            }
        });
    }
    match items {
        Some(items) if items.is_object() => value.items().all(|item| fits(item, items, depth + 1)),
        _ => true,
    }
}

fn is_of_type(value: Node<'_>, kind: Node<'_>) -> bool {
    if kind.is_array() {
        return kind.items().any(|kind| is_of_type(value, kind));
    }
    let Some(kind) = kind.text() else {
        return true;
    };
    // Gemini writes the names in capitals.
    match kind.to_ascii_lowercase().as_str() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => matches!(value.bytes(), b"true" | b"false"),
        "null" => value.is_null(),
        "number" => value.number().is_some(),
        "integer" => value.number().is_some_and(|number| number.fract() == 0.0),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_rejected_before_running_counts() {
        let tools = r#"[{"type":"function","function":{"name":"go","parameters":{"type":"object","properties":
            {"to":{"type":"string"},"steps":{"type":["integer","null"]},"via":{"type":"array","items":{"type":"string"}}},
            "required":["to"],"additionalProperties":false}}},
            {"name":"free","input_schema":{"type":"object"}},{"functionDeclarations":[{"name":"g","parameters":{"type":"OBJECT","required":["q"]}}]},{"name":"bare"}]"#;
        let declared = Declared::new(Node::new(tools.as_bytes()));
        for (tool, arguments, wanted) in [
            ("go", r#"{"to":"x"}"#, Verdict::Fine),
            ("go", r#"{"to":"x","steps":3,"via":["a"]}"#, Verdict::Fine),
            ("go", r#"{"to":"x","steps":3.0}"#, Verdict::Fine),
            ("go", r#"{"to":"x","steps":null}"#, Verdict::Fine),
            ("go", r#"{"to":"x","steps":3.5}"#, Verdict::Schema),
            ("go", r#"{"steps":3}"#, Verdict::Schema),
            ("go", r#"{"to":5}"#, Verdict::Schema),
            ("go", r#"{"to":"x","via":[1]}"#, Verdict::Schema),
            ("go", r#"{"to":"x","also":1}"#, Verdict::Schema),
            ("go", r#""{\"to\":\"x\"}""#, Verdict::Schema),
            ("go", "[]", Verdict::Schema),
            ("free", r#"{"a":1}"#, Verdict::Fine),
            ("g", "{}", Verdict::Schema),
            ("bare", "5", Verdict::Fine),
            ("gone", "{}", Verdict::UnknownTool),
        ] {
            assert_eq!(
                declared.verdict(tool, arguments),
                wanted,
                "{tool} {arguments}"
            );
        }
        assert_eq!(Declared::new(None).verdict("any", "[]"), Verdict::Fine);
    }
}
