//! Tool definitions in the shapes that providers and MCP servers write them: bytes in, names and schemas out.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use crate::repair::{Schema, ToolContext};

/// One declared tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// The JSON Schema of its arguments, if it was declared with one.
    pub schema: Option<Value>,
}

/// The tools that are known, by name.
#[derive(Clone, Debug, Default)]
pub struct Tools {
    /// `None` for a tool that was declared without a schema.
    by_name: HashMap<String, Option<Arc<Schema>>>,
}

impl Tools {
    /// The definitions in a document, or why there are none.
    pub fn parse(bytes: &[u8]) -> Result<Tools, String> {
        let document: Value =
            serde_json::from_slice(bytes).map_err(|error| format!("no JSON: {error}"))?;
        let found = definitions(&document);
        if found.is_empty() {
            return Err(
                "no tool definitions: expected an OpenAI, Anthropic, MCP `tools/list` or Gemini shape"
                    .to_owned(),
            );
        }
        Ok(found.into_iter().collect())
    }

    /// Whether a tool of that name is declared.
    pub fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// The names declared, sorted.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.by_name.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    /// What is known about the tool called `name`: at least its name.
    pub fn context(&self, name: &str) -> ToolContext {
        ToolContext {
            schema: self.by_name.get(name).cloned().flatten(),
            ..ToolContext::named(name)
        }
    }
}

/// A later definition of the same name wins.
impl FromIterator<Definition> for Tools {
    fn from_iter<I: IntoIterator<Item = Definition>>(definitions: I) -> Tools {
        let row = |definition: Definition| {
            let schema = definition
                .schema
                .map(|schema| Arc::new(Schema::new(schema)));
            (definition.name, schema)
        };
        Tools {
            by_name: definitions.into_iter().map(row).collect(),
        }
    }
}

/// Members that lead from a request, an answer or a file to its definitions.
const CONTAINERS: [&str; 8] = [
    "tools",
    "functions",
    "functionDeclarations",
    "function_declarations",
    "result",
    "request",
    "toolConfig",
    "config",
];

/// Where a definition keeps the schema of its arguments.
const SCHEMAS: [&str; 6] = [
    "parameters",
    "input_schema",
    "inputSchema",
    "parametersJsonSchema",
    "parameters_json_schema",
    "input_json_schema",
];

/// The definitions in a JSON value, in the order in which they stand. A call or a message holds none.
pub fn definitions(document: &Value) -> Vec<Definition> {
    let mut found = Vec::new();
    let mut open = vec![document];
    while let Some(value) = open.pop() {
        match value {
            // Taken from the end, so pushed in reverse.
            Value::Array(items) => open.extend(items.iter().rev()),
            Value::Object(members) => match definition(members) {
                Some(one) => found.push(one),
                None => {
                    let inner = CONTAINERS
                        .iter()
                        .rev()
                        .filter_map(|name| members.get(*name));
                    open.extend(inner);
                }
            },
            _ => {}
        }
    }
    found
}

fn definition(members: &serde_json::Map<String, Value>) -> Option<Definition> {
    // OpenAI's chat shape and Bedrock's put the definition one level deeper.
    let wrapped = members.get("function").or_else(|| members.get("toolSpec"));
    let members = wrapped.and_then(Value::as_object).unwrap_or(members);
    let name = members.get("name")?.as_str()?;
    let schema = SCHEMAS.iter().find_map(|place| members.get(*place));
    let declares = schema.is_some() || members.contains_key("description");
    let is_call = ["arguments", "input", "args"]
        .iter()
        .any(|place| members.contains_key(*place));
    if !declares || is_call {
        return None;
    }
    Some(Definition {
        name: name.to_owned(),
        schema: schema.map(|schema| json_schema(schema.get("json").unwrap_or(schema))),
    })
}

/// Gemini writes types in capitals and `nullable` as OpenAPI does; all else is JSON Schema already.
fn json_schema(schema: &Value) -> Value {
    let mut schema = schema.clone();
    let mut open = vec![&mut schema];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                let nullable = members.get("nullable") == Some(&Value::Bool(true));
                if let Some(kind) = members.get_mut("type") {
                    lower_type(kind, nullable);
                }
                let schemas = members.iter_mut().filter(|(name, _)| {
                    // What stands here is data, not a schema.
                    !matches!(
                        name.as_str(),
                        "enum" | "const" | "default" | "example" | "examples"
                    )
                });
                open.extend(schemas.map(|(_, inner)| inner));
            }
            _ => {}
        }
    }
    schema
}

fn lower_type(kind: &mut Value, nullable: bool) {
    const CAPITALS: [&str; 7] = [
        "STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL",
    ];
    let Some(name) = kind.as_str() else { return };
    let name = match CAPITALS.contains(&name) {
        true => name.to_lowercase(),
        false => name.to_owned(),
    };
    *kind = match nullable {
        true => serde_json::json!([name, "null"]),
        false => Value::String(name),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every shape declares `read` with one required string `path`.
    #[test]
    fn shapes() {
        let schema =
            r#"{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}"#;
        let gemini =
            r#"{"type":"OBJECT","properties":{"path":{"type":"STRING"}},"required":["path"]}"#;
        for shape in [
            // OpenAI: chat, responses, functions of old, a whole request
            r#"[{"type":"function","function":{"name":"read","description":"d","parameters":S}}]"#,
            r#"{"model":"m","tools":[{"type":"function","name":"read","parameters":S,"strict":true}]}"#,
            r#"{"functions":[{"name":"read","parameters":S}]}"#,
            r#"{"request":{"messages":[],"tools":[{"type":"function","function":{"name":"read","parameters":S}}]}}"#,
            // Anthropic
            r#"[{"name":"read","description":"d","input_schema":S}]"#,
            r#"{"tools":[{"name":"read","input_schema":S}],"messages":[{"name":"write","input":{}}]}"#,
            // MCP
            r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"read","inputSchema":S}]}}"#,
            r#"{"tools":[{"name":"read","title":"t","inputSchema":S,"annotations":{}}]}"#,
            // Gemini
            r#"{"tools":[{"functionDeclarations":[{"name":"read","parameters":G}]}]}"#,
            r#"[{"function_declarations":[{"name":"read","parameters":G}]}]"#,
            r#"{"functionDeclarations":[{"name":"read","parametersJsonSchema":S}]}"#,
            // Bedrock
            r#"{"toolConfig":{"tools":[{"toolSpec":{"name":"read","inputSchema":{"json":S}}}]}}"#,
            // One alone
            r#"{"name":"read","input_schema":S}"#,
        ] {
            let text = shape
                .replace(":S", &format!(":{schema}"))
                .replace(":G", &format!(":{gemini}"));
            let tools = Tools::parse(text.as_bytes()).unwrap_or_else(|why| panic!("{text}: {why}"));
            assert_eq!(tools.names(), ["read"], "{text}");
            let context = tools.context("read");
            assert_eq!(context.plain_field(), Some("path"), "{text}");
            assert!(context.wants_object(), "{text}");
        }
    }

    #[test]
    fn what_declares_nothing_is_said() {
        for (text, why) in [
            (
                "{",
                "no JSON: EOF while parsing an object at line 1 column 1",
            ),
            ("[]", "no tool definitions"),
            (
                r#"[{"name":"read","input":{"path":"a"}}]"#,
                "no tool definitions",
            ),
            (r#"{"name":"read","arguments":"{}"}"#, "no tool definitions"),
        ] {
            let outcome = Tools::parse(text.as_bytes());
            assert!(outcome.is_err_and(|found| found.starts_with(why)), "{text}");
        }
    }

    #[test]
    fn capitals_and_nullable_become_json_schema_but_data_stays() {
        let gemini = serde_json::json!({"type": "OBJECT", "properties": {
            "type": {"type": "STRING", "nullable": true, "enum": ["STRING"]},
            "list": {"type": "ARRAY", "items": {"type": "INTEGER"}, "default": {"type": "OBJECT"}},
        }});
        let expected = serde_json::json!({"type": "object", "properties": {
            "type": {"type": ["string", "null"], "nullable": true, "enum": ["STRING"]},
            "list": {"type": "array", "items": {"type": "integer"}, "default": {"type": "OBJECT"}},
        }});
        assert_eq!(json_schema(&gemini), expected);
    }

    #[test]
    fn a_tool_without_a_schema_is_known_by_name() {
        let tools = Tools::parse(br#"[{"name":"now","description":"the time"}]"#).unwrap();
        assert!(tools.has("now") && !tools.has("later"));
        assert!(tools.context("now").schema.is_none());
    }
}
