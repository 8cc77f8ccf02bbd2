//! The JSON Schema of a tool's arguments: what it declares, and the check of a result against it.

use std::sync::Arc;

use serde_json::Value;

/// A JSON Schema of a tool's arguments.
#[derive(Clone, Debug)]
pub struct Schema {
    root: Value,
    /// The compiled check; built at the first use.
    #[cfg(feature = "schema")]
    validator: std::sync::OnceLock<Result<Arc<jsonschema::Validator>, String>>,
    #[cfg(not(feature = "schema"))]
    validator: std::marker::PhantomData<Arc<()>>,
}

/// Where a result misses the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// JSON Pointer (RFC 6901) into the result.
    pub path: String,
    /// What is wrong there, or why it was not checked.
    pub message: String,
}

/// Most problems that are listed for one result.
#[cfg(feature = "schema")]
const MOST: usize = 100;

impl Schema {
    /// A schema from its JSON value.
    pub fn new(root: Value) -> Schema {
        Schema {
            root,
            validator: Default::default(),
        }
    }

    /// The schema as JSON.
    pub fn value(&self) -> &Value {
        &self.root
    }

    /// Whether the arguments must be an object.
    pub fn wants_object(&self) -> bool {
        let kind = self.root.get("type").and_then(Value::as_str);
        kind.map_or(self.root.get("properties").is_some(), |kind| {
            kind.eq_ignore_ascii_case("object")
        })
    }

    /// The field for a plain string: the only required string property, else the only string property.
    pub fn plain_field(&self) -> Option<&str> {
        let is_string = |name: &&str| {
            let schema = self
                .root
                .get("properties")
                .and_then(|known| known.get(*name));
            schema
                .and_then(|schema| schema.get("type"))
                .and_then(Value::as_str)
                == Some("string")
        };
        fn only(mut names: Vec<&str>) -> Option<&str> {
            if names.len() == 1 { names.pop() } else { None }
        }
        let required: Vec<&str> = self.required().collect();
        let strings: Vec<&str> = required.iter().copied().filter(is_string).collect();
        if !required.is_empty() {
            return if required.len() == strings.len() {
                only(strings)
            } else {
                None
            };
        }
        only(self.properties().filter(is_string).collect())
    }

    /// Whether an empty object is allowed: no property is required.
    pub fn requires_nothing(&self) -> bool {
        self.wants_object() && self.required().next().is_none()
    }

    /// The names of the required properties.
    pub fn required(&self) -> impl Iterator<Item = &str> {
        let names = self.root.get("required").and_then(Value::as_array);
        names.into_iter().flatten().filter_map(Value::as_str)
    }

    /// The names of the declared properties.
    pub fn properties(&self) -> impl Iterator<Item = &str> {
        let known = self.root.get("properties").and_then(Value::as_object);
        known
            .into_iter()
            .flat_map(|known| known.keys())
            .map(String::as_str)
    }

    /// Whether a property of that name is declared.
    pub fn declares(&self, name: &str) -> bool {
        self.root
            .get("properties")
            .is_some_and(|known| known.get(name).is_some())
    }

    /// Whether undeclared properties are forbidden.
    pub fn is_closed(&self) -> bool {
        self.root.get("additionalProperties") == Some(&Value::Bool(false))
    }

    /// Follows a local `$ref` (a JSON Pointer behind `#`), at most sixteen steps.
    pub fn resolve<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let mut at = schema;
        for _ in 0..16 {
            let Some(pointer) = at
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|target| target.strip_prefix('#'))
            else {
                break;
            };
            match self.root.pointer(pointer) {
                Some(target) => at = target,
                None => break,
            }
        }
        at
    }

    /// Whether a JSON text is an object with all required properties and at least one declared one.
    pub fn fits(&self, text: &str) -> bool {
        let Ok(Value::Object(object)) = serde_json::from_str(text) else {
            return !self.wants_object();
        };
        let all = self.required().all(|name| object.contains_key(name));
        let known = object
            .keys()
            .all(|name| self.declares(name) || !self.is_closed());
        all && known
            && (object.is_empty()
                || object.keys().any(|name| self.declares(name))
                || self.properties().next().is_none())
    }

    /// Checks a valid JSON text. What the checker cannot hold (depth 128, numbers beyond a double, lone surrogates)
    /// gives one problem that says so.
    #[cfg(feature = "schema")]
    pub fn problems(&self, output: &str) -> Vec<Problem> {
        let not_checked = |why: String| {
            vec![Problem {
                path: String::new(),
                message: format!("not checked: {why}"),
            }]
        };
        let compile = || match jsonschema::validator_for(&self.root) {
            Ok(validator) => Ok(Arc::new(validator)),
            Err(error) => Err(format!("the schema is not usable: {error}")),
        };
        let validator = match self.validator.get_or_init(compile) {
            Ok(validator) => validator,
            Err(why) => return not_checked(why.clone()),
        };
        let value: Value = match serde_json::from_str(output) {
            Ok(value) => value,
            Err(error) => return not_checked(error.to_string()),
        };
        let errors = validator.iter_errors(&value).take(MOST);
        errors
            .map(|error| Problem {
                path: error.instance_path().to_string(),
                message: error.to_string(),
            })
            .collect()
    }

    /// Without the `schema` feature nothing is checked, and that is said.
    #[cfg(not(feature = "schema"))]
    pub fn problems(&self, _output: &str) -> Vec<Problem> {
        vec![Problem {
            path: String::new(),
            message: "not checked: built without schema checking".into(),
        }]
    }
}
