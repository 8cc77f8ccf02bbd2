//! The tool's JSON Schema: a guide while scanning, and a check of the result.

use serde_json::Value;

/// A JSON Schema of a tool's arguments.
#[derive(Clone, Debug)]
pub struct Schema {
    root: Value,
}

/// Where a result misses the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// JSON Pointer (RFC 6901) into the result.
    pub path: String,
    /// What is wrong there.
    pub message: String,
}

impl Schema {
    /// A schema from its JSON value.
    pub fn new(root: Value) -> Schema {
        Schema { root }
    }

    /// The schema as JSON.
    pub fn value(&self) -> &Value {
        &self.root
    }

    /// Whether the arguments must be an object.
    pub fn wants_object(&self) -> bool {
        self.root.get("type").and_then(Value::as_str) == Some("object")
    }

    /// The field for a plain string: the only required string property, else the only string property.
    pub fn plain_field(&self) -> Option<&str> {
        let properties = self.root.get("properties")?.as_object()?;
        let is_string = |name: &&str| {
            properties
                .get(*name)
                .and_then(|schema| schema.get("type"))
                .and_then(Value::as_str)
                == Some("string")
        };
        fn only(mut names: Vec<&str>) -> Option<&str> {
            if names.len() == 1 { names.pop() } else { None }
        }
        let required = self
            .root
            .get("required")
            .and_then(Value::as_array)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let strings: Vec<&str> = required
            .iter()
            .filter_map(Value::as_str)
            .filter(is_string)
            .collect();
        if !strings.is_empty() {
            return only(strings);
        }
        only(
            properties
                .keys()
                .map(String::as_str)
                .filter(is_string)
                .collect(),
        )
    }

    /// Whether an empty object is allowed: no property is required.
    pub fn requires_nothing(&self) -> bool {
        let required = self.root.get("required").and_then(Value::as_array);
        self.wants_object() && required.is_none_or(Vec::is_empty)
    }

    /// Whether a JSON text is an object with all required properties and no unknown ones where those are forbidden.
    pub fn fits(&self, text: &str) -> bool {
        let Ok(Value::Object(object)) = serde_json::from_str(text) else {
            return !self.wants_object();
        };
        let required = self
            .root
            .get("required")
            .and_then(Value::as_array)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let all = required
            .iter()
            .filter_map(Value::as_str)
            .all(|name| object.contains_key(name));
        let properties = self.root.get("properties").and_then(Value::as_object);
        all && properties.is_none_or(|known| {
            object.is_empty() || object.keys().any(|name| known.contains_key(name))
        })
    }
}
