//! The methods of the client in JavaScript: which arguments each takes, and how they are named for the wasm. Must not live here: their types
//! (`declarations`), what is checked of them (`client::arguments`).

use tailnet_kit::api::headscale::{self, Answer, Release};
use tailnet_kit::api::retry::Rule;
use tailnet_kit::api::{Form, Member, MemberKind, Operation, Words};

/// The table of one client.
pub trait Table: Copy + 'static {
    const ALL: &'static [Self];
    /// What the names of its declarations begin with.
    const CLIENT: &'static str;
    fn name(self) -> &'static str;
    fn words(self) -> Words;
    fn rule(self) -> Rule;
    /// The arguments that fill the path, as the client names them.
    fn places(self) -> Vec<&'static str>;
    /// What is sent beside the path.
    fn form(self) -> Form;
    /// The arguments and the answer where the row has no type of its own.
    fn of_row(self) -> Signature;
    /// How what is sent beside the path reaches the wasm: all of an argument, or one member.
    fn sent(self, argument: &Argument) -> String;

    /// The forms of its method: as its row writes them, or of the row's own types.
    fn signatures(self) -> Vec<(Option<&'static str>, Signature)> {
        let read = |text: &&'static str| match text
            .strip_prefix("/** ")
            .and_then(|text| text.split_once(" */ "))
        {
            Some((docs, text)) => (Some(docs), Signature::read(text)),
            None => (None, Signature::read(text)),
        };
        match self.words().typed {
            [] => vec![(None, self.of_row())],
            typed => typed.iter().map(read).collect(),
        }
    }

    /// What the declaration says of it.
    fn docs(self) -> String {
        self.words().docs.trim().to_owned()
    }
}

impl Table for Operation {
    const ALL: &'static [Self] = &Operation::ALL;
    const CLIENT: &'static str = "Client";

    fn name(self) -> &'static str {
        self.name()
    }

    fn words(self) -> Words {
        self.words()
    }

    fn rule(self) -> Rule {
        self.rule()
    }

    fn places(self) -> Vec<&'static str> {
        let slots = self.route().slots().filter(|slot| *slot != ":tailnet");
        let named = slots.map(|slot| match slot.ends_with("ID") {
            true => "id",
            false => slot.trim_start_matches(':'),
        });
        named.collect()
    }

    fn form(self) -> Form {
        self.form()
    }

    fn of_row(self) -> Signature {
        let words = self.words();
        let mut arguments: Vec<Argument> = Table::places(self)
            .into_iter()
            .map(Argument::text)
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

    fn sent(self, argument: &Argument) -> String {
        let name = &argument.name;
        match self.form() {
            Form::Object(members) if has(members, name) => format!("body: {{ {name} }}"),
            Form::Object(members) if argument.is_optional => {
                format!("body: {{ ...{} }}", picked(members, name))
            }
            Form::Query(members) | Form::Devices(members) => {
                format!("...{}", picked(members, name))
            }
            _ if name == "body" => name.clone(),
            _ => format!("body: {name}"),
        }
    }
}

impl Table for headscale::Operation {
    const ALL: &'static [Self] = &headscale::Operation::ALL;
    const CLIENT: &'static str = "HeadscaleClient";

    fn name(self) -> &'static str {
        self.row().name
    }

    fn words(self) -> Words {
        self.words()
    }

    fn rule(self) -> Rule {
        Rule::of(self.row().effect)
    }

    fn places(self) -> Vec<&'static str> {
        headscale::Operation::places(self).collect()
    }

    fn form(self) -> Form {
        self.row().sends
    }

    /// What is in the path, then a member that must be sent and has no other beside it, or else an object of all.
    fn of_row(self) -> Signature {
        let mut arguments: Vec<Argument> = Table::places(self)
            .into_iter()
            .map(Argument::text)
            .collect();
        let (part, members) = part(self.form());
        match members {
            [] => {}
            [member] => arguments.push(Argument::read(&required(member))),
            members => {
                let members: Vec<String> = members.iter().map(required).collect();
                arguments.push(Argument::read(&format!(
                    "{part}: {{ {} }}",
                    members.join("; ")
                )));
            }
        }
        let thing = |member: &str| {
            let (first, rest) = member.trim_end_matches('s').split_at(1);
            format!("Headscale{}{rest}", first.to_uppercase())
        };
        let answer = match self.row().answer {
            Answer::Nothing => "void".to_owned(),
            Answer::One(member, _) => thing(member),
            Answer::Many(member, _) => thing(member) + "[]",
            Answer::Text(_) => "string".to_owned(),
            Answer::Policy => "HeadscaleStoredPolicy".to_owned(),
            Answer::Object => panic!("{}: its row must have a type", Table::name(self)),
        };
        Signature { arguments, answer }
    }

    fn sent(self, argument: &Argument) -> String {
        let name = &argument.name;
        match part(self.form()) {
            (_, []) => name.clone(),
            (part, members) if has(members, name) => format!("{part}: {{ {name} }}"),
            (part, members) => format!("{part}: {{ ...{} }}", picked(members, name)),
        }
    }

    fn docs(self) -> String {
        let docs = self.words().docs.trim();
        match self.row().since {
            Release::V28 => docs.to_owned(),
            since => format!("{docs} Since {since}."),
        }
    }
}

/// Where the members of a form travel, and which they are.
fn part(form: Form) -> (&'static str, &'static [Member]) {
    match form {
        Form::Query(members) => ("query", members),
        Form::Object(members) => ("body", members),
        _ => ("", &[]),
    }
}

/// A member that must be sent, with its type.
fn required(member: &Member) -> String {
    let typed = match member.kind {
        MemberKind::Text => "string",
        MemberKind::Texts => "string[]",
        _ => panic!("{}: the row must have a type", member.name),
    };
    format!("{}: {typed}", member.name)
}

fn has(members: &[Member], name: &str) -> bool {
    members.iter().any(|member| member.name == name)
}

/// The operations of a namespace and the namespaces in it, in the order of the table.
pub struct Namespace<O> {
    /// `devices.attributes`; empty for the client itself.
    pub name: String,
    pub operations: Vec<O>,
    pub inner: Vec<Namespace<O>>,
}

impl<O: Table> Namespace<O> {
    /// All of the table.
    pub fn all() -> Self {
        Self::of(|_| true)
    }

    fn of(is_in: impl Fn(O) -> bool) -> Self {
        let mut all = Namespace::new(String::new());
        for operation in O::ALL.iter().filter(|operation| is_in(**operation)) {
            all.add(*operation, "", operation.name());
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
    fn text(name: &str) -> Argument {
        Argument::read(&format!("{name}: string"))
    }

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

/// `src/methods.js`. Those of the policy are written by hand: an ETag is looked at, and a policy may be given in two forms.
pub fn module() -> String {
    text(
        "",
        &Namespace::<Operation>::of(|operation| operation.form() != Form::Policy),
    )
}

/// `src/headscale-methods.js`.
pub fn headscale_module() -> String {
    text(" of Headscale", &Namespace::<headscale::Operation>::all())
}

/// A module with the methods of these namespaces: each with its name and how its arguments are sent.
fn text<O: Table>(whose: &str, all: &Namespace<O>) -> String {
    format!(
        "// The methods of the client{whose}, made of the table of operations by `cargo run --example operation_files`: which arguments
// each takes, and how they are named for the wasm. Must not live here: the methods that are written by hand, what is checked.

import {{ only }} from '../../common/arguments.js'

/** `method` makes one, from the name of its operation and how its arguments are sent. */
export const namespaces = (method) => ({{
{}}})
",
        members(all, "  ")
    )
}

fn members<O: Table>(space: &Namespace<O>, indent: &str) -> String {
    let methods = space.operations.iter().map(|operation| {
        let name = operation.name();
        let made = made(*operation);
        format!("{indent}{}: method('{name}', {made}),\n", last(name))
    });
    let mut text: String = methods.collect();
    text.extend(space.inner.iter().map(|inner| {
        let members = members(inner, &format!("{indent}  "));
        format!("{indent}{}: {{\n{members}{indent}}},\n", inner.short())
    }));
    text
}

/// The function from the arguments of a method to what is sent, and which options are its own.
fn made<O: Table>(operation: O) -> String {
    let (_, signature) = operation.signatures().swap_remove(0);
    let (mut taken, mut sent, mut own) = (Vec::new(), Vec::new(), String::new());
    for argument in signature.arguments {
        if argument.name == "o" {
            let before = argument.typed.split("?:").next().unwrap_or_default();
            own = format!(", ['{}']", before.rsplit(' ').next().unwrap_or_default());
            continue;
        }
        let is_place = operation.places().contains(&argument.name.as_str());
        sent.push(match is_place {
            true => argument.name.clone(),
            false => operation.sent(&argument),
        });
        taken.push(argument.name);
    }
    let sent = match sent.as_slice() {
        [] => "{}".to_owned(),
        sent => format!("{{ {} }}", sent.join(", ")),
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
