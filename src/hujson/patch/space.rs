//! Moving extra and laid out values from one indentation to another, and joining extra.
//!
//! Must not live here: which extra goes where.

pub(super) use super::super::extra::is_space;
use super::super::extra::{Token, Tokens};

/// The text with a new line begun.
pub(super) fn indented(mut text: String, indent: &str) -> String {
    text.push('\n');
    text.push_str(indent);
    text
}

/// Extra brought to another place: each of its lines gets the new indentation.
pub(super) fn relaid(extra: &str, from: &str, to: &str) -> String {
    let mut out = String::with_capacity(extra.len());
    for token in Tokens(extra) {
        match token {
            Token::Space(space) if space.contains('\n') => out = indented(out, to),
            Token::Block(comment) => moved(comment, from, to, &mut out),
            Token::Space(text) | Token::Line(text) => out.push_str(text),
        }
    }
    out
}

/// Lines after the first brought from one indentation to another.
pub(super) fn moved(lines: &str, from: &str, to: &str, out: &mut String) {
    for (number, line) in lines.split('\n').enumerate() {
        if number == 0 {
            out.push_str(line);
            continue;
        }
        out.push('\n');
        let rest = line.trim_start_matches([' ', '\t']);
        if !rest.trim_end().is_empty() {
            out.push_str(to);
            out.push_str(line.strip_prefix(from).unwrap_or(rest));
        }
    }
}

/// A value in canonical layout with each tab of indentation replaced by `unit`, for a
/// line with this indentation.
pub(super) fn reindented(laid_out: &str, unit: &str, indent: &str) -> String {
    let mut out = String::with_capacity(laid_out.len());
    for (number, line) in laid_out.split('\n').enumerate() {
        let rest = line.trim_start_matches('\t');
        if number > 0 {
            out.push('\n');
            if !rest.is_empty() {
                out.push_str(indent);
                out.extend(std::iter::repeat_n(unit, line.len() - rest.len()));
            }
        }
        out.push_str(rest);
    }
    out
}

/// Two stretches of extra one after the other, on a new line if the first ends in a line comment.
pub(super) fn join(mut first: String, second: &str, indent: &str) -> String {
    let space = second.len() - second.trim_start_matches(is_space).len();
    let breaks = second.get(..space).unwrap_or_default().contains('\n');
    if let Some(Token::Line(_)) = Tokens(&first).last()
        && !breaks
    {
        first = indented(first, indent);
        first.push_str(second.get(space..).unwrap_or_default());
    } else {
        first.push_str(second);
    }
    first
}
