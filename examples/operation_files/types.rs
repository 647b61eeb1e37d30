//! The types of bodies as schemas, read from their Rust source in `src/api`: members, types and documentation stand there once. Must not live here: which
//! operation sends and gives which (`openapi`).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

/// The types by their names in Rust.
pub struct Types(BTreeMap<String, Value>);

/// A type while its lines are read.
#[derive(Default)]
struct Open {
    name: String,
    docs: String,
    is_camel: bool,
    /// Whether it keeps members that it does not know.
    is_open: bool,
    properties: Map<String, Value>,
}

impl Types {
    /// Those of all files: structs with serde, types by another name, and those that `wire_types!`, `bodies!` and `queries!` make.
    pub fn read() -> Types {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/api");
        let files = fs::read_dir(folder).expect("the folder").flatten();
        let files = files.filter(|file| file.path().is_file());
        let texts: Vec<String> = files
            .map(|file| fs::read_to_string(file.path()).expect("a source"))
            .collect();
        let mut types = Types(BTreeMap::new());
        // Once for their names, and once more with these.
        for text in texts.iter().chain(&texts) {
            types.read_file(text);
        }
        types
    }

    /// The type of that name as a schema; anything where it is not one of these, nor made of them.
    pub fn schema(&self, rust: &str) -> Value {
        let rust = rust.replace(' ', "");
        let inside = |start: &str| {
            rust.strip_prefix(start)?
                .strip_suffix('>')
                .map(str::to_owned)
        };
        match rust.as_str() {
            "String" | "Cow<'static,str>" => return json!({"type": "string"}),
            "bool" => return json!({"type": "boolean"}),
            "u32" | "u64" => return json!({"type": "integer"}),
            "f64" => return json!({"type": "number"}),
            "Map<String,Value>" => return json!({"type": "object"}),
            name if self.0.contains_key(name) => {
                return json!({"$ref": format!("#/components/schemas/{name}")});
            }
            _ => {}
        }
        if let Some(item) = inside("Vec<") {
            return json!({"type": ["array", "null"], "items": self.schema(&item)});
        }
        if let Some(item) = inside("BTreeMap<String,") {
            return json!({"type": "object", "additionalProperties": self.schema(&item)});
        }
        match inside("Option<").map(|item| self.schema(&item)) {
            Some(Value::Object(mut schema)) => match schema.get("type").cloned() {
                Some(Value::String(kind)) => {
                    schema.insert("type".to_owned(), json!([kind, "null"]));
                    schema.into()
                }
                Some(_) => schema.into(),
                None if schema.is_empty() => json!({}),
                None => json!({"anyOf": [schema, {"type": "null"}]}),
            },
            _ => json!({}),
        }
    }

    /// What a type says of a member.
    pub fn docs(&self, rust: &str, member: &str) -> Option<&str> {
        self.0.get(rust)?["properties"][member]["description"].as_str()
    }

    /// Those that a schema names, and those that they name.
    pub fn named(&self, document: &Value) -> Map<String, Value> {
        let mut named = Map::new();
        let mut open = vec![document];
        while let Some(value) = open.pop() {
            match value {
                Value::Object(members) => {
                    let name = members.get("$ref").and_then(Value::as_str);
                    let name = name.and_then(|path| path.strip_prefix("#/components/schemas/"));
                    if let Some((name, schema)) = name.and_then(|name| self.0.get_key_value(name))
                        && named.insert(name.clone(), schema.clone()).is_none()
                    {
                        open.push(schema);
                    }
                    open.extend(members.values());
                }
                Value::Array(items) => open.extend(items),
                _ => {}
            }
        }
        named
    }
}

/// How a file is read: what stands before a type or member goes on with it.
#[derive(Default)]
struct Before {
    docs: String,
    attributes: String,
}

impl Types {
    fn read_file(&mut self, text: &str) {
        let mut before = Before::default();
        let mut open: Option<Open> = None;
        let mut is_wire = false;
        for line in text.lines() {
            match line {
                "wire_types! {" => is_wire = true,
                "}" => is_wire = false,
                _ => {}
            }
            let line = line.trim();
            if let Some(docs) = line.strip_prefix("/// ") {
                before.docs.push_str(docs);
                before.docs.push(' ');
                continue;
            }
            if line.starts_with("#[") {
                before.attributes.push_str(line);
                continue;
            }
            let Before { docs, attributes } = std::mem::take(&mut before);
            match &mut open {
                Some(_) if line == "}" => {
                    let closed = open.take().expect("an open type");
                    self.0.insert(closed.name.clone(), closed.schema());
                }
                Some(open) => self.member(open, line, docs.trim(), &attributes),
                None => open = Open::begin(line, docs, &attributes, is_wire),
            }
            if let Some((name, rust)) = line
                .strip_prefix("pub type ")
                .and_then(|line| line.split_once(" = "))
            {
                let schema = self.schema(rust.trim_end_matches(';'));
                self.0.insert(name.to_owned(), schema);
            }
        }
    }

    /// A line in a type: `pub member: Type,` of a struct, `member: Type = "name",` of a body or query.
    fn member(&self, open: &mut Open, line: &str, docs: &str, attributes: &str) {
        let line = line.trim_start_matches("pub ").trim_end_matches(',');
        let Some((field, rust)) = line.split_once(": ") else {
            return;
        };
        if attributes.contains("flatten") || field == "other" {
            open.is_open = true;
            return;
        }
        let (rust, written) = rust.split_once(" = ").map_or((rust, None), |(rust, name)| {
            (rust, Some(name.trim_matches('"')))
        });
        let renamed = attributes
            .split_once("rename = \"")
            .and_then(|(_, rest)| rest.split('"').next());
        let name = match written.or(renamed) {
            Some(name) => name.to_owned(),
            None if open.is_camel => camel(field),
            None => field.to_owned(),
        };
        let mut schema = self.schema(rust);
        schema["description"] = docs.into();
        open.properties.insert(name, schema);
    }
}

impl Open {
    fn begin(line: &str, docs: String, attributes: &str, is_wire: bool) -> Option<Open> {
        let name = line.strip_suffix(" {")?;
        let of_serde = is_wire || attributes.contains("Deserialize");
        let name = match name.strip_prefix("pub struct ") {
            Some(name) if of_serde => name,
            Some(_) => return None,
            None if !docs.is_empty() && name.chars().all(char::is_alphanumeric) => name,
            None => return None,
        };
        Some(Open {
            name: name.to_owned(),
            docs: docs.trim().to_owned(),
            is_camel: is_wire || attributes.contains("camelCase"),
            is_open: false,
            properties: Map::new(),
        })
    }

    fn schema(self) -> Value {
        let mut schema =
            json!({"type": "object", "description": self.docs, "properties": self.properties});
        if self.is_open {
            schema["additionalProperties"] = true.into();
        }
        schema
    }
}

/// `in_this_form` `inThisForm`.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        camel.push_str(&word[..1].to_uppercase());
        camel.push_str(&word[1..]);
    }
    camel
}
