//! The declarations of the clients' methods, of the names of operations, and of each type that they name and nobody declares in `pkg/types`, where those
//! stand that say more than their Rust types. Must not live here: which arguments there are (`methods`).

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use tailnet_kit::api::retry::Rule;
use tailnet_kit::api::{Operation, headscale};

use crate::bodies::bodies;
use crate::methods::{Namespace, Signature, Table, last, split};

const WIDTH: usize = 160;

const NAMES: &str = "// The names of the client's calls, made of the table of operations by `cargo run --example operation_files`, and of groups of them. Must not live
// here: the calls.

/** One operation, as in the gateway's `allow` and `authorize` and in logs. */
export type OperationName =
";

const GROUPS: &str = "
/** The namespaces that contain a name. */
export type NamespaceOf<Name extends string> = Name extends `${infer Head}.${infer Rest}` ? Head | `${Head}.${NamespaceOf<Rest>}` : never

/** `devices.*`: all of a namespace and below it; `devices.read`: those of it that change nothing; `*.read`: all that change nothing. */
export type OperationGroup = `${NamespaceOf<OperationName>}.${'*' | 'read'}` | '*.read'
";

/// The namespaces that have calls of several operations too, which are declared by hand.
const JOINED: [&str; 2] = ["acl", "policy"];

/// `types/operation.d.ts`.
pub fn names() -> String {
    format!("{NAMES}{}{GROUPS}", union::<Operation>())
}

fn union<O: Table>() -> String {
    let names = O::ALL.iter();
    names
        .map(|operation| format!("  | '{}'\n", operation.name()))
        .collect()
}

/// `types/methods.d.ts`.
pub fn methods() -> String {
    written::<Operation>("client.d.ts")
}

/// `types/headscale-methods.d.ts`.
pub fn headscale_methods() -> String {
    format!(
        "{}
/** One operation, as in the gateway's `allow` and `authorize` and in logs. */
export type HeadscaleOperationName =
{}",
        written::<headscale::Operation>("headscale.d.ts"),
        union::<headscale::Operation>()
    )
}

/// The declarations of a table, of which all but what is in that module are made.
fn written<O: Table>(by_hand: &str) -> String {
    let (mut interfaces, mut members) = (String::new(), String::new());
    let all = Namespace::<O>::all();
    for inner in &all.inner {
        members.push_str(&opened(inner, &mut interfaces));
    }
    members.extend(all.operations.iter().map(|operation| method(*operation)));
    let client = O::CLIENT;
    write!(
        interfaces,
        "
/** The calls of a client by namespace, each of one operation. */
export interface {client}Calls {{
{members}}}
"
    )
    .expect("an interface");
    let mut declared = String::new();
    let imports = imports(&interfaces, &mut declared);
    format!(
        "// The calls of a client, made of the table of operations by `cargo run --example operation_files`. Must not live here: calls that are several
// operations, options (`{by_hand}`), what travels.

import type {{ APIPromise, CallOptions }} from './call.js'
{imports}{interfaces}{declared}"
    )
}

/// What a namespace is, as its first operation says.
fn about<O: Table>(namespace: &str) -> &'static str {
    let heads = O::ALL.iter().flat_map(|operation| operation.words().heads);
    let mut heads = heads.filter(|(name, _)| *name == namespace);
    let (_, about) = heads
        .next()
        .unwrap_or_else(|| panic!("{namespace}: its first operation must say what it is: `heads`"));
    about
}

/// Declares a namespace and those in it, and gives the member that it is.
fn opened<O: Table>(namespace: &Namespace<O>, out: &mut String) -> String {
    let about = about::<O>(&namespace.name);
    interface(namespace, about, out);
    let (short, name) = (namespace.short(), interface_name(namespace));
    format!("  /** {about} */\n  readonly {short}: {name}\n")
}

fn types() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("pkg/types")
}

/// The imports of the types that the declarations name, by module. Those that no module declares are declared here, as their Rust types have them.
fn imports(text: &str, declared: &mut String) -> String {
    let mut words: Vec<&str> = code(text)
        .flat_map(|code| code.split(|c: char| !c.is_alphanumeric()))
        .collect();
    words.sort_unstable();
    words.dedup();
    let mut files: Vec<PathBuf> = fs::read_dir(types())
        .expect("the folder")
        .flatten()
        .map(|file| file.path())
        .collect();
    files.sort();
    let mut imports = String::new();
    for file in files {
        let module = file
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        let Some(module) = module.strip_suffix(".d.ts").filter(|module| {
            !["call", "client", "headscale"].contains(module) && !module.ends_with("methods")
        }) else {
            continue;
        };
        let exported = fs::read_to_string(&file).expect("declarations");
        let is_of = |word: &&&str| {
            ["interface", "type"]
                .iter()
                .any(|kind| exported.contains(&format!("\nexport {kind} {word} ")))
        };
        let found: Vec<&str> = words.iter().filter(is_of).copied().collect();
        words.retain(|word| !found.contains(word));
        if !found.is_empty() {
            writeln!(
                imports,
                "import type {{ {} }} from './{module}.js'",
                found.join(", ")
            )
            .expect("a line");
        }
    }
    declared.push_str(&bodies(&words));
    imports
}

/// What is no comment.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split("/*");
    parts.map(|part| part.split_once("*/").map_or(part, |(_, code)| code))
}

fn interface_name<O: Table>(namespace: &Namespace<O>) -> String {
    let mut name = O::CLIENT.to_owned();
    for part in namespace.name.split('.') {
        name.push_str(&part[..1].to_uppercase());
        name.push_str(&part[1..]);
    }
    if JOINED.contains(&namespace.name.as_str()) {
        name.push_str("Calls");
    }
    name
}

fn interface<O: Table>(namespace: &Namespace<O>, docs: &str, out: &mut String) {
    let mut members: String = namespace
        .operations
        .iter()
        .map(|operation| method(*operation))
        .collect();
    for inner in &namespace.inner {
        members.push_str(&opened(inner, out));
    }
    let name = interface_name(namespace);
    writeln!(
        out,
        "\n/** {docs} */\nexport interface {name} {{\n{members}}}"
    )
    .expect("an interface");
}

/// A method, in each of its forms, with what its row says of it.
fn method<O: Table>(operation: O) -> String {
    let words = operation.words();
    let mut docs = operation.docs();
    if operation.rule() == Rule::RateLimitOnly {
        docs.push_str(" Retried on 429 only.");
    }
    if !words.refuses.is_empty() {
        write!(docs, " Errors of its own: {}.", words.refuses).expect("words");
    }
    let mut lines = wrapped(&docs);
    match words.example.split_once('\n') {
        None if words.example.is_empty() => {}
        None => lines.push(format!("@example {}", words.example)),
        Some(_) => {
            lines.push("@example".to_owned());
            lines.extend(words.example.lines().map(|line| line.trim().to_owned()));
        }
    }
    let mut text = match lines.as_slice() {
        [line] => format!("  /** {line} */\n"),
        lines => format!("  /**\n   * {}\n   */\n", lines.join("\n   * ")),
    };
    for (docs, signature) in operation.signatures() {
        if let Some(docs) = docs {
            writeln!(text, "  /** {docs} */").expect("a line");
        }
        text.push_str(&declared(operation, signature));
    }
    text
}

fn declared<O: Table>(operation: O, signature: Signature) -> String {
    let name = last(operation.name());
    let mut arguments: Vec<String> = Vec::new();
    let has_own = signature
        .arguments
        .iter()
        .any(|argument| argument.name == "o");
    for argument in signature.arguments {
        let mark = if argument.is_optional { "?" } else { "" };
        arguments.push(format!("{}{mark}: {}", argument.name, argument.typed));
    }
    if !has_own {
        arguments.push("o?: CallOptions".to_owned());
    }
    let answer = signature.answer;
    let line = format!("  {name}({}): APIPromise<{answer}>\n", arguments.join(", "));
    if line.len() <= WIDTH {
        return line;
    }
    let arguments: String = arguments
        .iter()
        .map(|argument| format!("    {},\n", members(argument)))
        .collect();
    format!("  {name}(\n{arguments}  ): APIPromise<{answer}>\n")
}

/// A type with each member of its object on a line of its own.
fn members(argument: &str) -> String {
    let Some((before, inside)) = argument.split_once("{ ").filter(|_| argument.len() > 100) else {
        return argument.to_owned();
    };
    let inside = inside.strip_suffix(" }").expect("the object at the end");
    let mut lines = String::new();
    for member in split(inside, ';') {
        let member = member.replace("*/ ", "*/\n      ");
        writeln!(lines, "      {member}").expect("lines");
    }
    format!("{before}{{\n{lines}    }}")
}

fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("a line");
        if line.len() + word.len() + 6 > WIDTH {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}
