//! The JavaScript beside the wasm, as `wasm-bindgen --target bundler` writes it: taken apart by statement.
//! Must not live here: the wasm.

use std::collections::{BTreeSet, HashMap};

use anyhow::{Result, ensure};

/// What each file needs, whatever it exports.
const ALWAYS: [&str; 1] = ["__wbg_set_wasm"];

/// All statements, in their order.
pub struct Glue<'a> {
    statements: Vec<Statement<'a>>,
    named: HashMap<&'a str, usize>,
}

struct Statement<'a> {
    text: &'a str,
    /// The statements that it mentions.
    uses: BTreeSet<usize>,
    /// What it takes of the wasm: `wasm.NAME`.
    wanted: BTreeSet<&'a str>,
    /// Whether it defines nothing, and so belongs to what it mentions.
    is_nameless: bool,
}

impl<'a> Glue<'a> {
    pub fn read(text: &'a str) -> Result<Self> {
        let (mut statements, mut named) = (Vec::new(), HashMap::new());
        for (index, text) in split(text).into_iter().enumerate() {
            let names = defined(text);
            for name in &names {
                let before = named.insert(*name, index);
                ensure!(before.is_none(), "the glue defines `{name}` twice");
            }
            statements.push(Statement {
                text,
                uses: BTreeSet::new(),
                wanted: wanted(text).collect(),
                is_nameless: names.is_empty(),
            });
        }
        for (index, statement) in statements.iter_mut().enumerate() {
            let uses = words(statement.text).filter_map(|word| named.get(word).copied());
            statement.uses = uses.filter(|&used| used != index).collect();
        }
        Ok(Self { statements, named })
    }

    /// Whether it exports something of that name.
    pub fn exports(&self, name: &str) -> bool {
        let statement = self.named.get(name);
        let statement = statement.and_then(|&index| self.statements.get(index));
        statement.is_some_and(|statement| statement.text.starts_with("export "))
    }

    /// The statements that these names need, and those themselves.
    pub fn reached<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Result<BTreeSet<usize>> {
        let (mut found, mut open) = (BTreeSet::new(), Vec::new());
        for name in names.into_iter().chain(ALWAYS) {
            ensure!(self.named.contains_key(name), "the glue has no `{name}`");
            open.extend(self.named.get(name));
        }
        loop {
            while let Some(index) = open.pop() {
                if found.insert(index) {
                    open.extend(
                        self.statements
                            .get(index)
                            .into_iter()
                            .flat_map(|each: &Statement<'_>| &each.uses),
                    );
                }
            }
            let belongs = |(index, each): &(usize, &Statement<'_>)| {
                each.is_nameless && !found.contains(index) && !each.uses.is_disjoint(&found)
            };
            let nameless = self.statements.iter().enumerate().filter(belongs);
            open.extend(nameless.map(|(index, _)| index));
            if open.is_empty() {
                return Ok(found);
            }
        }
    }

    /// What these statements take of the wasm.
    pub fn wanted(&self, statements: &BTreeSet<usize>) -> BTreeSet<&'a str> {
        let statements = statements
            .iter()
            .filter_map(|&index| self.statements.get(index));
        statements
            .flat_map(|each| each.wanted.iter().copied())
            .collect()
    }

    /// These statements alone.
    pub fn text(&self, statements: &BTreeSet<usize>) -> String {
        let statements = statements
            .iter()
            .filter_map(|&index| self.statements.get(index));
        statements.map(|each| each.text).collect()
    }
}

/// Each statement with its line ends; comments that stand by themselves are left out. A statement begins where a line
/// begins with a letter, as everything inside of one is indented or closes it.
fn split(text: &str) -> Vec<&str> {
    let mut starts: Vec<(usize, bool)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let is_comment = line.starts_with("//") || line.starts_with("/*");
        if is_comment || line.starts_with(|c: char| c.is_ascii_alphabetic()) {
            starts.push((at, is_comment));
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).map(|&(at, _)| at).chain([text.len()]);
    let pieces = starts.iter().zip(ends);
    let pieces = pieces.filter(|((_, is_comment), _)| !is_comment);
    pieces
        .filter_map(|(&(start, _), end)| text.get(start..end))
        .collect()
}

/// The names that a statement defines for others.
fn defined(statement: &str) -> Vec<&str> {
    let mut words = words(statement).skip_while(|word| matches!(*word, "export" | "async"));
    match (words.next(), words.next()) {
        (Some("function" | "class" | "let" | "const" | "var"), Some(name)) => vec![name],
        _ => Vec::new(),
    }
}

/// The words of a statement that may be names.
fn words(statement: &str) -> impl Iterator<Item = &str> {
    statement
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$'))
        .filter(|word| word.starts_with(|c: char| !c.is_ascii_digit()))
}

fn wanted(statement: &str) -> impl Iterator<Item = &str> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    statement
        .match_indices("wasm.")
        .filter_map(move |(at, found)| {
            let alone = statement
                .get(..at)
                .is_some_and(|before| !before.ends_with(is_of_name));
            let rest = statement.get(at + found.len()..)?;
            let end = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
            rest.get(..end).filter(|_| alone)
        })
}
