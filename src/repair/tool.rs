//! What is known about the tool a text was written for.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::schema::Schema;

/// The tool that the text is an argument of. Empty where nothing is known.
#[derive(Clone, Debug, Default)]
pub struct ToolContext {
    /// The tool's name.
    pub name: Option<String>,
    /// The field a plain string goes to, if the user named one.
    pub field: Option<String>,
    /// The JSON Schema of the arguments.
    pub schema: Option<std::sync::Arc<Schema>>,
}

impl ToolContext {
    /// A tool known by name alone.
    pub fn named(name: &str) -> ToolContext {
        ToolContext {
            name: Some(name.to_owned()),
            ..ToolContext::default()
        }
    }

    /// The field that a plain string goes to: the user's, else the schema's only required string property, else its
    /// only string property, else the map's.
    pub fn plain_field(&self) -> Option<&str> {
        if let Some(field) = &self.field {
            return Some(field);
        }
        match &self.schema {
            Some(schema) => schema.plain_field(),
            None => map_field(self.name.as_deref()?),
        }
    }

    /// Whether the tool's arguments are known to be an object: by its schema, or since the map knows the tool.
    pub fn wants_object(&self) -> bool {
        match &self.schema {
            Some(schema) => schema.wants_object(),
            None => {
                self.field.is_some()
                    || self
                        .name
                        .as_deref()
                        .is_some_and(|name| map_field(name).is_some())
            }
        }
    }
}

/// The field of a tool by the map in `assets/tool_fields.json`: exact, then lower-cased.
pub fn map_field(tool: &str) -> Option<&'static str> {
    static FIELDS: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
        let map: HashMap<String, Vec<String>> =
            serde_json::from_str(include_str!("../../assets/tool_fields.json"))
                .expect("a test reads the same file");
        map.into_iter()
            .flat_map(|(field, tools)| tools.into_iter().map(move |tool| (tool, field.clone())))
            .collect()
    });
    FIELDS
        .get(tool)
        .or_else(|| FIELDS.get(&tool.to_lowercase()))
        .map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_are_found_exactly_then_lower_cased() {
        for (tool, field) in [
            ("read_file", Some("file")),
            ("READ_FILE", Some("file")),
            ("READ", Some("file")),
            ("Read", Some("file_path")),
            ("Bash", Some("command")),
            ("BASH", Some("command")),
            ("Shell", Some("command")),
            ("@Coder", Some("cmd")),
            ("grep", Some("pattern")),
            ("git-status", Some("dir")),
            ("get_weather", None),
        ] {
            assert_eq!(map_field(tool), field, "{tool}");
        }
    }
}
