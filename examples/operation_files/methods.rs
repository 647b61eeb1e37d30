//! The methods of the client in JavaScript: which arguments each takes, and how they are named for the wasm. Must not live here: their types
//! (`declarations`), what is checked of them (`client::arguments`).

use tailnet_kit::api::{Form, Member, Operation, Words};

/// The operations of a namespace and the namespaces in it, in the order of the table.
#[derive(Default)]
pub struct Namespace {
    /// `devices.attributes`; empty for the client itself.
    pub name: String,
    pub operations: Vec<Operation>,
    pub inner: Vec<Namespace>,
}

impl Namespace {
    /// All that have a method made of their row. Those of the policy are written by hand: an ETag is looked at, and one answer has two forms.
    pub fn all() -> Namespace {
        let mut all = Namespace::default();
        for operation in Operation::ALL {
            if !operation.words().example.is_empty() {
                all.add(operation, "", operation.name());
            }
        }
        all
    }

    fn add(&mut self, operation: Operation, before: &str, rest: &str) {
        let Some((first, rest)) = rest.split_once('.') else {
            return self.operations.push(operation);
        };
        let name = format!("{before}{first}");
        let known = self.inner.iter().position(|inner| inner.name == name);
        let place = known.unwrap_or(self.inner.len());
        if known.is_none() {
            let name = name.clone();
            self.inner.push(Namespace {
                name,
                ..Namespace::default()
            });
        }
        self.inner[place].add(operation, &format!("{name}."), rest);
    }

    /// The last part of its name.
    pub fn short(&self) -> &str {
        last(&self.name)
    }
}

/// The part of a name behind its last point.
pub fn last(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, last)| last)
}

/// The type of a method, `(argument: Type): Answer`, in its parts.
pub struct Signature {
    pub arguments: Vec<Argument>,
    pub answer: String,
}

/// An argument of a method.
pub struct Argument {
    pub name: String,
    pub is_optional: bool,
    pub typed: String,
}

impl Argument {
    fn read(text: &str) -> Argument {
        let (name, typed) = text.split_once(": ").expect("an argument and its type");
        Argument {
            name: name.trim_end_matches('?').to_owned(),
            is_optional: name.ends_with('?'),
            typed: typed.to_owned(),
        }
    }
}

impl Signature {
    /// Those of an operation: as its row writes them, or of the row's own types.
    pub fn of(operation: Operation) -> Vec<(Option<&'static str>, Signature)> {
        let words = operation.words();
        if words.typed.is_empty() {
            return vec![(None, Signature::of_row(operation, words))];
        }
        let read = |text: &&'static str| match text
            .strip_prefix("/** ")
            .and_then(|text| text.split_once(" */ "))
        {
            Some((docs, text)) => (Some(docs), Signature::read(text)),
            None => (None, Signature::read(text)),
        };
        words.typed.iter().map(read).collect()
    }

    fn of_row(operation: Operation, words: Words) -> Signature {
        let mut arguments: Vec<Argument> = places(operation)
            .map(|name| Argument::read(&format!("{name}: string")))
            .collect();
        let (name, sent) = words.sends;
        if !name.is_empty() {
            arguments.push(Argument::read(&format!("{name}: {}", typed(sent))));
        }
        Signature {
            arguments,
            answer: typed(words.gives),
        }
    }

    fn read(text: &str) -> Signature {
        let text = text.strip_prefix('(').expect("arguments");
        let end = levels(text)
            .find(|(_, level)| *level < 0)
            .expect("their end")
            .0;
        let arguments = split(&text[..end], ',')
            .into_iter()
            .filter(|text| !text.is_empty());
        Signature {
            arguments: arguments.map(Argument::read).collect(),
            answer: text[end..]
                .strip_prefix("): ")
                .expect("an answer")
                .to_owned(),
        }
    }
}

/// A Rust type of a row as TypeScript names it.
fn typed(rust: &str) -> String {
    let rust = rust.replace(' ', "");
    match rust
        .strip_prefix("Vec<")
        .and_then(|rest| rest.strip_suffix('>'))
    {
        Some(item) => format!("{item}[]"),
        None if matches!(rust.as_str(), "()" | "Done" | "Accepted") => "void".to_owned(),
        None => rust,
    }
}

/// The arguments that fill the path, as the client names them.
fn places(operation: Operation) -> impl Iterator<Item = &'static str> {
    let slots = operation.route().slots().filter(|slot| *slot != ":tailnet");
    slots.map(|slot| match slot.ends_with("ID") {
        true => "id",
        false => slot.trim_start_matches(':'),
    })
}

/// The parts of a type between these marks, but for marks in brackets and comments.
pub fn split(text: &str, mark: char) -> Vec<&str> {
    let (mut parts, mut start) = (Vec::new(), 0);
    for (at, level) in levels(text) {
        if level == 0 && text[at..].starts_with(mark) {
            parts.push(text[start..at].trim());
            start = at + 1;
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// The places of a type that are in no comment, each with the number of brackets that it is in.
fn levels(text: &str) -> impl Iterator<Item = (usize, i32)> {
    let (mut level, mut in_comment) = (0, false);
    text.char_indices().filter_map(move |(at, letter)| {
        in_comment = text[at..].starts_with("/*") || in_comment && !text[..at].ends_with("*/");
        level += match letter {
            _ if in_comment => return None,
            '(' | '{' | '[' | '<' => 1,
            ')' | '}' | ']' | '>' => -1,
            _ => 0,
        };
        Some((at, level))
    })
}

const HEAD: &str = "// The methods of the client's namespaces, made of the table of operations by `cargo run --example operation_files`: which arguments
// each takes, and how they are named for the wasm. Must not live here: the methods of the policy (`client.js`), what is checked.

import { only } from '../../common/arguments.js'

/** `method` makes one, from the name of its operation and how its arguments are sent. */
";

/// The module.
pub fn module() -> String {
    let members: String = Namespace::all()
        .inner
        .iter()
        .map(|inner| namespace(inner, 1))
        .collect();
    format!("{HEAD}export const namespaces = (method) => ({{\n{members}}})\n")
}

fn namespace(space: &Namespace, depth: usize) -> String {
    let indent = "  ".repeat(depth);
    let methods = space.operations.iter().map(|operation| {
        let (name, made) = (operation.name(), made(*operation));
        format!("{indent}  {}: method('{name}', {made}),\n", last(name))
    });
    let mut members: String = methods.collect();
    members.extend(space.inner.iter().map(|inner| namespace(inner, depth + 1)));
    format!("{indent}{}: {{\n{members}{indent}}},\n", space.short())
}

/// How the arguments of a method are sent, and which options are its own.
fn made(operation: Operation) -> String {
    let (_, signature) = Signature::of(operation).swap_remove(0);
    let (mut taken, mut sent, mut own) = (Vec::new(), Vec::new(), String::new());
    for Argument {
        name,
        is_optional,
        typed,
    } in signature.arguments
    {
        if name == "o" {
            let names = typed
                .split("?: ")
                .filter_map(|before| before.rsplit(' ').next());
            let names: Vec<&str> = names
                .filter(|name| name.chars().all(char::is_alphanumeric))
                .collect();
            own = format!(", ['{}']", names[0]);
            continue;
        }
        sent.push(match operation.form() {
            _ if places(operation).any(|place| place == name) => name.clone(),
            Form::Object(members) if members.iter().any(|member| member.name == name) => {
                format!("body: {{ {name} }}")
            }
            Form::Object(members) if is_optional => {
                format!("body: {{ ...{} }}", picked(members, &name))
            }
            Form::Query(members) | Form::Devices(members) => {
                format!("...{}", picked(members, &name))
            }
            _ if name == "body" => name.clone(),
            _ => format!("body: {name}"),
        });
        taken.push(name);
    }
    let sent = match sent.is_empty() {
        true => "{}".to_owned(),
        false => format!("{{ {} }}", sent.join(", ")),
    };
    format!("({}) => ({sent}){own}", taken.join(", "))
}

/// These members of an argument; others are an error.
fn picked(members: &[Member], argument: &str) -> String {
    let names: Vec<String> = members
        .iter()
        .map(|member| format!("'{}'", member.name))
        .collect();
    format!("only([{}], {argument})", names.join(", "))
}
