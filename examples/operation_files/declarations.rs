//! The declarations of the client's methods and of the names of operations. Must not live here: the types of bodies and answers, which are written by
//! hand beside (`pkg/types`), which arguments there are (`methods`).

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use tailnet_kit::api::Operation;
use tailnet_kit::api::retry::Rule;

use crate::methods::{Namespace, Signature, last, split};

const WIDTH: usize = 160;

/// What the namespaces in namespaces are. Of the others the class in `client.d.ts` says it.
const INNER: &[(&str, &str)] = &[
    ("devices.routes", "The subnet routes of a device."),
    ("devices.attributes", "The posture attributes of devices."),
    ("dns.nameservers", "The DNS servers."),
    ("dns.preferences", "The DNS preferences."),
    ("dns.searchPaths", "The search domains."),
    ("dns.split", "Resolvers by domain."),
    ("dns.configuration", "All DNS settings as one document."),
    ("services.approval", "Whether a device may serve it."),
    ("logs.streaming", "Where the logs are streamed to."),
];

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

const METHODS: &str = "// The calls of the client, made of the table of operations by `cargo run --example operation_files`. Must not live here: those of the policy, options
// (`client.d.ts`), what travels (`wire.d.ts`).

import type { APIPromise, CallOptions } from './call.js'
";

/// `types/operation.d.ts`.
pub fn names() -> String {
    let names: String = Operation::ALL
        .iter()
        .map(|operation| format!("  | '{operation}'\n"))
        .collect();
    format!("{NAMES}{names}{GROUPS}")
}

/// `types/methods.d.ts`.
pub fn methods() -> String {
    let class = fs::read_to_string(types().join("client.d.ts")).expect("the class");
    let mut interfaces = String::new();
    for inner in Namespace::all().inner {
        let name = interface_name(&inner);
        let member = format!("\n  readonly {}: {name}\n", inner.short());
        let (before, _) = class
            .split_once(&member)
            .unwrap_or_else(|| panic!("client.d.ts: `TailnetClient` has no `{}`", inner.name));
        let docs = before
            .rsplit_once("  /** ")
            .expect("docs")
            .1
            .trim_end_matches(" */")
            .to_owned();
        interface(&inner, &docs, &mut interfaces);
    }
    format!("{METHODS}{}{interfaces}", imports(&interfaces))
}

fn types() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("pkg/types")
}

/// The imports of the types that the declarations name, by module.
fn imports(text: &str) -> String {
    let mut words: Vec<&str> = code(text)
        .flat_map(|line| line.split(|c: char| !c.is_alphanumeric()))
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
        let Some(module) = module
            .strip_suffix(".d.ts")
            .filter(|module| !["call", "client", "methods"].contains(module))
        else {
            continue;
        };
        let exported = fs::read_to_string(&file).expect("declarations");
        let is_of = |word: &&&str| {
            ["interface", "type"]
                .iter()
                .any(|kind| exported.contains(&format!("\nexport {kind} {word} ")))
        };
        let found: Vec<&str> = words.iter().filter(is_of).copied().collect();
        if !found.is_empty() {
            writeln!(
                imports,
                "import type {{ {} }} from './{module}.js'",
                found.join(", ")
            )
            .expect("a line");
        }
    }
    imports
}

/// The lines that are no comments.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter(|line| !line.trim_start().starts_with('*'))
}

fn interface_name(namespace: &Namespace<Operation>) -> String {
    let mut name = "Client".to_owned();
    for part in namespace.name.split('.') {
        name.push_str(&part[..1].to_uppercase());
        name.push_str(&part[1..]);
    }
    name
}

fn interface(namespace: &Namespace<Operation>, docs: &str, out: &mut String) {
    let mut members: String = namespace
        .operations
        .iter()
        .map(|operation| method(*operation))
        .collect();
    for inner in &namespace.inner {
        let known = INNER.iter().find(|(name, _)| *name == inner.name);
        let (_, docs) = known.unwrap_or_else(|| panic!("{}: say what it is", inner.name));
        interface(inner, docs, out);
        let (short, name) = (inner.short(), interface_name(inner));
        writeln!(members, "  /** {docs} */\n  readonly {short}: {name}").expect("a member");
    }
    let name = interface_name(namespace);
    writeln!(
        out,
        "\n/** {docs} */\nexport interface {name} {{\n{members}}}"
    )
    .expect("an interface");
}

/// A method, in each of its forms, with what its row says of it.
fn method(operation: Operation) -> String {
    let words = operation.words();
    let mut docs = words.docs.trim().to_owned();
    if operation.rule() == Rule::RateLimitOnly {
        docs.push_str(" Retried on 429 only.");
    }
    if !words.refuses.is_empty() {
        write!(docs, " Errors of its own: {}.", words.refuses).expect("words");
    }
    let mut text = "  /**\n".to_owned();
    for line in wrapped(&docs) {
        writeln!(text, "   * {line}").expect("a line");
    }
    match words.example.split_once('\n') {
        None => writeln!(text, "   * @example {}", words.example).expect("a line"),
        Some(_) => {
            writeln!(text, "   * @example").expect("a line");
            for line in words.example.lines() {
                writeln!(text, "   * {}", line.trim()).expect("a line");
            }
        }
    }
    text.push_str("   */\n");
    for (docs, signature) in Signature::of(operation) {
        if let Some(docs) = docs {
            writeln!(text, "  /** {docs} */").expect("a line");
        }
        text.push_str(&declared(operation, signature));
    }
    text
}

fn declared(operation: Operation, signature: Signature) -> String {
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
        let (docs, member) = member.split_once("*/ ").expect("docs of a member");
        write!(lines, "      {docs}*/\n      {member}\n").expect("lines");
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
