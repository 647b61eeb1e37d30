//! Rust code as words, parsed only as far as needed to find the paths it names and the length of its functions.
//! Must not live here: what a path leads to (`modules`), rules.
use crate::sources::{Source, product_lines};

/// A word or a sign of the code; comments, strings and characters are left out.
#[derive(Clone, PartialEq, Debug)]
pub struct Word {
    pub text: String,
    pub line: usize,
}

/// A path that the code names, in an import or in place.
#[derive(Clone, PartialEq, Debug)]
pub struct Named {
    pub line: usize,
    pub path: Vec<String>,
    pub import: Option<Import>,
}

/// An import of a path.
#[derive(Clone, PartialEq, Debug)]
pub struct Import {
    /// Its name here; `*` for all names.
    pub name: String,
    /// Whether it is re-exported.
    pub public: bool,
}

/// The words of a file up to its test module.
pub fn words(source: &Source) -> Vec<Word> {
    let mut words = Vec::new();
    let lines: Vec<&str> = product_lines(source).map(|(_, line)| line).collect();
    let text = lines.join("\n");
    let (mut rest, mut line) = (text.as_str(), 1);
    while let Some(first) = rest.chars().next() {
        let length = length(rest, first);
        let (text, behind) = rest.split_at(length);
        let silent = text.starts_with("//") || text.starts_with("/*") || text.contains(['"', '\'']);
        if !silent && !first.is_whitespace() {
            let text = text.to_owned();
            words.push(Word { text, line });
        }
        line += text.matches('\n').count();
        rest = behind;
    }
    words
}

/// The length of the next piece of the code in bytes.
fn length(code: &str, first: char) -> usize {
    let up_to = |mark: &str| code.find(mark).map_or(code.len(), |at| at + mark.len());
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let word = code.find(|c| !is_word(c)).unwrap_or(code.len());
    let behind = &code[word..];
    if code.starts_with("//") {
        code.find('\n').unwrap_or(code.len())
    } else if code.starts_with("/*") {
        up_to("*/")
    } else if matches!(&code[..word], "r" | "br") && behind.starts_with(['"', '#']) {
        let hashes = behind.chars().take_while(|c| *c == '#').count();
        let close = format!("\"{}", "#".repeat(hashes));
        let open = word + close.len();
        code.get(open..)
            .and_then(|text| text.find(&close))
            .map_or(code.len(), |at| open + at + close.len())
    } else if word > 0 {
        word
    } else if first == '"' {
        quoted(code, '"')
    } else if first == '\'' {
        character(code)
    } else if code.starts_with("::") {
        2
    } else {
        first.len_utf8()
    }
}

/// The length up to and with the closing quote.
fn quoted(code: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in code.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    code.len()
}

/// The length of a character literal, or of the quote of a lifetime.
fn character(code: &str) -> usize {
    let mut inner = code.chars().skip(1);
    match (inner.next(), inner.next()) {
        (Some('\\'), _) | (_, Some('\'')) => quoted(code, '\''),
        _ => 1,
    }
}

/// Every path that the code names: each one in an import tree, and those with `::` elsewhere.
pub fn paths(source: &Source) -> Vec<Named> {
    let words = words(source);
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let mut named = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if text(at) == "use" && text(at + 1) != "<" {
            let public = at > 0 && matches!(text(at - 1), "pub" | ")");
            at = tree(&words, at + 1, &[], public, &mut named);
        } else if text(at + 1) == "::" && is_name(text(at)) {
            let start = at;
            while text(at + 1) == "::" && is_name(text(at + 2)) {
                at += 2;
            }
            let path = words[start..=at].iter().step_by(2);
            named.push(Named {
                line: words[start].line,
                path: path.map(|word| word.text.clone()).collect(),
                import: None,
            });
            at += 1;
        } else {
            at += 1;
        }
    }
    named
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Reads one branch of an import tree; returns the index of the next word.
fn tree(words: &[Word], at: usize, stem: &[String], public: bool, named: &mut Vec<Named>) -> usize {
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let mut path = stem.to_vec();
    let mut at = at;
    loop {
        match text(at) {
            "{" => {
                at += 1;
                while !matches!(text(at), "}" | "") {
                    at = tree(words, at, &path, public, named);
                    at += usize::from(text(at) == ",");
                }
                return at + 1;
            }
            "::" => at += 1,
            "as" => at += 1,
            "," | "}" | ";" | "" => break,
            word => {
                if text(at.wrapping_sub(1)) != "as" {
                    path.push(word.to_owned());
                }
                at += 1;
            }
        }
    }
    let line = words.get(at - 1).map_or(0, |word| word.line);
    let mut name = text(at - 1).to_owned();
    match path.last().map(String::as_str) {
        Some("*") => drop(path.pop()),
        Some("self") if path.len() > 1 => drop(path.pop()),
        _ => {}
    }
    if name == "self" {
        name = path.last().cloned().unwrap_or_default();
    }
    let import = Some(Import { name, public });
    named.push(Named { line, path, import });
    at
}
