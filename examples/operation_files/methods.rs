//! The methods of the client in JavaScript: which arguments each takes, and how they are named for the wasm. Must not live here: their types
//! (`declarations`), what is checked of them (`client::arguments`).

use tailnet_kit::api::headscale;
use tailnet_kit::api::{Form, Member, MemberKind, Operation, Words};

/// The operations of a namespace and the namespaces in it, in the order of the table.
pub struct Namespace<O> {
    /// `devices.attributes`; empty for the client itself.
    pub name: String,
    pub operations: Vec<O>,
    pub inner: Vec<Namespace<O>>,
}

impl Namespace<Operation> {
    /// All that have a method made of their row. Those of the policy are written by hand: an ETag is looked at, and one answer has two forms.
    pub fn all() -> Self {
        let made = |operation: &Operation| !operation.words().example.is_empty();
        Namespace::of(Operation::ALL.into_iter().filter(made), Operation::name)
    }
}

impl<O> Namespace<O> {
    fn of(operations: impl Iterator<Item = O>, name: impl Fn(O) -> &'static str) -> Self
    where
        O: Copy,
    {
        let mut all = Namespace::new(String::new());
        for operation in operations {
            all.add(operation, "", name(operation));
        }
        all
    }

    fn new(name: String) -> Self {
        let (operations, inner) = (Vec::new(), Vec::new());
        Namespace {
            name,
            operations,
            inner,
        }
    }

    fn add(&mut self, operation: O, before: &str, rest: &str) {
        let Some((first, rest)) = rest.split_once('.') else {
            return self.operations.push(operation);
        };
        let name = format!("{before}{first}");
        let known = self.inner.iter().position(|inner| inner.name == name);
        let place = known.unwrap_or(self.inner.len());
        if known.is_none() {
            self.inner.push(Namespace::new(name.clone()));
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

/// `src/methods.js`.
pub fn module() -> String {
    let method = |operation: &Operation| (operation.name(), made(*operation));
    text("", &Namespace::all(), &method)
}

/// `src/headscale-methods.js`. A method takes what is in the path, then a member that must be sent and has no other beside it, or else an object of all.
pub fn headscale_module() -> String {
    // Its time may be given, be left out, or be null.
    let others = headscale::Operation::ALL.into_iter();
    let others = others.filter(|operation| operation.row().name != "nodes.expire");
    let all = Namespace::of(others, |operation| operation.row().name);
    let method =
        |operation: &headscale::Operation| (operation.row().name, made_of_headscale(*operation));
    text(" of Headscale", &all, &method)
}

/// A module with the methods of these namespaces: each with its name and how its arguments are sent.
fn text<O>(
    whose: &str,
    all: &Namespace<O>,
    method: &impl Fn(&O) -> (&'static str, String),
) -> String {
    format!(
        "// The methods of the client{whose}, made of the table of operations by `cargo run --example operation_files`: which arguments
// each takes, and how they are named for the wasm. Must not live here: the methods that are written by hand, what is checked.

import {{ only }} from '../../common/arguments.js'

/** `method` makes one, from the name of its operation and how its arguments are sent. */
export const namespaces = (method) => ({{
{}}})
",
        members(all, "  ", method)
    )
}

fn members<O>(
    space: &Namespace<O>,
    indent: &str,
    method: &impl Fn(&O) -> (&'static str, String),
) -> String {
    let methods = space.operations.iter().map(|operation| {
        let (name, made) = method(operation);
        format!("{indent}{}: method('{name}', {made}),\n", last(name))
    });
    let mut text: String = methods.collect();
    text.extend(space.inner.iter().map(|inner| {
        let members = members(inner, &format!("{indent}  "), method);
        format!("{indent}{}: {{\n{members}{indent}}},\n", inner.short())
    }));
    text
}

fn made_of_headscale(operation: headscale::Operation) -> String {
    let mut taken: Vec<&str> = operation.places().collect();
    let mut sent: Vec<String> = taken.iter().map(|&name| name.to_owned()).collect();
    let (part, members) = match operation.row().sends {
        Form::Query(members) => ("query", members),
        Form::Object(members) => ("body", members),
        _ => ("", &[][..]),
    };
    match members {
        [] => {}
        [member] if member.kind != MemberKind::Any => {
            taken.push(member.name);
            sent.push(format!("{part}: {{ {} }}", member.name));
        }
        members => {
            taken.push(part);
            sent.push(format!("{part}: {{ ...{} }}", picked(members, part)));
        }
    }
    arrow(&taken, &sent)
}

/// The function from the arguments to what is sent.
fn arrow<N: AsRef<str>>(taken: &[N], sent: &[String]) -> String {
    let taken: Vec<&str> = taken.iter().map(AsRef::as_ref).collect();
    let sent = match sent {
        [] => "{}".to_owned(),
        sent => format!("{{ {} }}", sent.join(", ")),
    };
    format!("({}) => ({sent})", taken.join(", "))
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
            let before = typed.split("?:").next().unwrap_or_default();
            own = format!(", ['{}']", before.rsplit(' ').next().unwrap_or_default());
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
    arrow(&taken, &sent) + &own
}

/// These members of an argument; others are an error.
fn picked(members: &[Member], argument: &str) -> String {
    let names: Vec<String> = members
        .iter()
        .map(|member| format!("'{}'", member.name))
        .collect();
    format!("only([{}], {argument})", names.join(", "))
}
