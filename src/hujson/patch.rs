//! JSON Patch (RFC 6902) on a text: what an operation does not touch stays byte for byte.
//!
//! The text is indexed once; only the composites on the way to a change are opened up, once for
//! all operations, and the result is written once. Must not live here: the canonical layout
//! (`format`), which here is only that of added values.

mod edit;
mod equal;
mod error;
mod operation;
mod overlay;
mod owner;
mod space;

use memchr::memchr_iter;

use super::extra::Extra;
use super::{Document, Kind, MAX_DEPTH, Value, check, parse, string_of};
use crate::tables::find;
pub use error::PatchError;
pub use operation::Edit;

use edit::{Item, Site, Style};
pub use equal::ReadDouble;
use operation::{Action, Operation, Path};
use overlay::{Composite, Content};
use owner::line_indent;
use space::{join, relaid};

/// How much text the copies of one patch may add up to, so that copies of copies cannot fill the
/// memory: an opened copy takes some fifty times its text.
const MOST_COPIED: usize = 1 << 25;

/// Carries out the operations of a JSON Patch, itself JSON or HuJSON: all of them or none.
///
/// Comments and layout outside the touched members stay byte for byte. A new member goes to the
/// end of its object, with the indentation and the comma of its neighbours; comments in and around
/// an added value are kept. A member that is removed or moved takes along the comments directly
/// above it, those after it on its line, and those directly below it if a blank line or the closing
/// bracket follows them. A copy takes copies of them. A new first element goes below comments that
/// start its array and end in a blank line. A text whose lines all end in CR LF keeps that.
///
/// # Errors
/// If the text is not HuJSON, if the operations are not a JSON Patch, and if one of them cannot
/// be carried out: its target is missing, a test fails, it moves a value into itself or removes
/// the top value, the result would be nested deeper than [`MAX_DEPTH`], or the copies add up to
/// more than 32 MiB.
pub fn patch(text: &str, operations: &str) -> Result<String, PatchError> {
    patch_by(text, operations, |number| {
        number.parse().unwrap_or(f64::NAN)
    })
}

/// The same, with a function `double` that reads the numbers in tests.
///
/// # Errors
/// Those of [`patch`].
pub fn patch_by(text: &str, operations: &str, double: ReadDouble) -> Result<String, PatchError> {
    let operations = find::replace(operations, "\r\n", "\n");
    in_lines(text, &|text| {
        let document = parse(text).map_err(PatchError::syntax)?;
        let operations = parse(&operations)
            .map_err(|error| PatchError::whole(format!("the operations are not JSON: {error}")))?;
        carry_out(&document, operation::read(operations.root(), double)?)
    })
}

/// Carries out some edits, all of them or none, as [`patch`] does operations given as text.
///
/// # Errors
/// If the text or a value is not HuJSON, and if an edit cannot be carried out.
pub fn edit(text: &str, edits: &[Edit]) -> Result<String, PatchError> {
    let value = |edit: &Edit| edit.value().map(|value| find::replace(value, "\r\n", "\n"));
    let values: Vec<Option<String>> = edits.iter().map(value).collect();
    in_lines(text, &|text| {
        let document = parse(text).map_err(PatchError::syntax)?;
        let mut parsed = Vec::with_capacity(values.len());
        for (index, value) in values.iter().enumerate() {
            let document = value.as_deref().map(parse).transpose();
            let none = |error| PatchError::at(index, format!("the value is not JSON: {error}"));
            parsed.push(document.map_err(none)?);
        }
        let pairs = edits.iter().zip(&parsed);
        let operations = pairs.map(|(edit, value)| edit.operation(value.as_ref()));
        carry_out(&document, operations.collect())
    })
}

/// Changes a text whose lines all end in CR LF as if they ended in LF, and gives back such a one.
fn in_lines(
    text: &str,
    change: &dyn Fn(&str) -> Result<String, PatchError>,
) -> Result<String, PatchError> {
    if !has_crlf_only(text) {
        return change(text);
    }
    match change(&without_returns(text)) {
        Ok(changed) => Ok(with_returns(&changed)),
        // An error has its place in the text as it was given.
        Err(error) => Err(check(text).err().map_or(error, PatchError::syntax)),
    }
}

/// Whether there is a line feed, and each follows a carriage return.
fn has_crlf_only(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut some = false;
    for at in memchr_iter(b'\n', bytes) {
        if at == 0 || bytes.get(at - 1) != Some(&b'\r') {
            return false;
        }
        some = true;
    }
    some
}

/// A text for which [`has_crlf_only`] is true, with each CR LF as LF; twice as fast
/// as `str::replace`.
fn without_returns(text: &str) -> String {
    let (mut out, mut start) = (String::with_capacity(text.len()), 0);
    for at in memchr_iter(b'\n', text.as_bytes()) {
        // INVARIANT: each line feed stands behind a carriage return.
        out.push_str(text.get(start..at - 1).unwrap_or_default());
        start = at;
    }
    out.push_str(text.get(start..).unwrap_or_default());
    out
}

/// The reverse.
fn with_returns(text: &str) -> String {
    let room = text.len() + text.len() / 16;
    let (mut out, mut start) = (String::with_capacity(room), 0);
    for at in memchr_iter(b'\n', text.as_bytes()) {
        out.push_str(text.get(start..at).unwrap_or_default());
        out.push('\r');
        start = at;
    }
    out.push_str(text.get(start..).unwrap_or_default());
    out
}

/// Changes a text whose new lines end in LF.
fn carry_out<'d>(
    document: &'d Document<'d>,
    operations: Vec<Operation<'d>>,
) -> Result<String, PatchError> {
    let mut tree = Tree::of(document);
    for (index, Operation { path, action }) in operations.into_iter().enumerate() {
        let name = action.name();
        tree.apply(&path, action)
            .map_err(|reason| PatchError::at(index, reason).of(name, &path.text))?;
    }
    Ok(tree.write(document.text().len()))
}

/// The document while it is changed.
struct Tree<'d> {
    before: String,
    root: Content<'d>,
    after: String,
    style: Style,
    /// How much text has been copied so far.
    copied: usize,
}

/// Where the last token of a path leads: the composite, and what a change of it must know.
struct Spot<'t, 'd> {
    composite: &'t mut Composite<'d>,
    indent: String,
    style: &'t Style,
}

impl<'d> Tree<'d> {
    fn of(document: &'d Document<'d>) -> Self {
        let (text, root) = (document.text(), document.root());
        Self {
            before: Extra::at(text, 0).raw(text).to_owned(),
            root: Content::Raw(root),
            after: Extra::at(text, root.span().end).raw(text).to_owned(),
            style: Style::of(document),
            copied: 0,
        }
    }

    fn write(&self, room: usize) -> String {
        let mut out = String::with_capacity(room + room / 16);
        out.push_str(&self.before);
        self.root.write(&mut out);
        out.push_str(&self.after);
        out
    }

    fn apply(&mut self, path: &Path, action: Action<'d>) -> Result<(), String> {
        match action {
            Action::Add(item) => self.add(path, item),
            Action::Remove => self.remove(path),
            Action::Replace(item) => self.replace(path, item),
            Action::Test(value, double) => self.test(path, value, double),
            Action::Copy { from } => self.copy(&from, path),
            Action::Move { from } => self.relocate(&from, path),
        }
    }

    fn add(&mut self, path: &Path, item: Item<'d>) -> Result<(), String> {
        check_depth(path.tokens.len(), &item.value)?;
        let Some((last, parents)) = path.tokens.split_last() else {
            self.replace_root(item);
            return Ok(());
        };
        let Spot {
            composite,
            indent,
            style,
        } = self.spot(parents, last)?;
        let site = Site {
            indent: &indent,
            style,
        };
        if composite.kind == Kind::Object {
            match composite.member(last) {
                Some(position) => edit::replace(composite, position, item, site),
                None => {
                    edit::insert(composite, composite.len(), string_of(last), item, site);
                }
            }
            return Ok(());
        }
        let position = if last == "-" || *last == composite.len().to_string() {
            composite.len()
        } else {
            composite.position(last)?
        };
        edit::insert(composite, position, String::new(), item, site);
        Ok(())
    }

    fn remove(&mut self, path: &Path) -> Result<(), String> {
        let Some((last, parents)) = path.tokens.split_last() else {
            return Err("the top value cannot be removed".to_owned());
        };
        let Spot { composite, .. } = self.spot(parents, last)?;
        let position = composite.position(last)?;
        edit::remove(composite, position);
        // Of repeated names all are removed: none must reappear.
        while composite.kind == Kind::Object
            && let Some(position) = composite.member(last)
        {
            edit::remove(composite, position);
        }
        Ok(())
    }

    fn replace(&mut self, path: &Path, item: Item<'d>) -> Result<(), String> {
        check_depth(path.tokens.len(), &item.value)?;
        let Some((last, parents)) = path.tokens.split_last() else {
            self.replace_root(item);
            return Ok(());
        };
        let Spot {
            composite,
            indent,
            style,
        } = self.spot(parents, last)?;
        let position = composite.position(last)?;
        edit::replace(
            composite,
            position,
            item,
            Site {
                indent: &indent,
                style,
            },
        );
        Ok(())
    }

    fn replace_root(&mut self, item: Item<'d>) {
        let source = item.indent.clone().unwrap_or_default();
        self.before.push_str(&relaid(&item.above, &source, ""));
        let behind = [&*item.after, &*item.behind].concat();
        self.after = join(relaid(&behind, &source, ""), &self.after, "");
        let indent = line_indent(&self.before).unwrap_or_default();
        self.root = edit::fitted(
            item.value,
            item.indent.as_deref(),
            indent,
            self.style.commas,
            &self.style,
        );
    }

    fn copy(&mut self, from: &Path, path: &Path) -> Result<(), String> {
        let item = self.item(from, |value| match value {
            Content::Open(_) => Content::Text(value.text().into_owned()),
            Content::Raw(_) | Content::Text(_) => value.clone(),
        })?;
        self.copied = self.copied.saturating_add(item.value.text().len());
        if self.copied > MOST_COPIED {
            return Err("the copies add up to more than 32 MiB".to_owned());
        }
        self.add(path, item)
    }

    fn relocate(&mut self, from: &Path, path: &Path) -> Result<(), String> {
        if path.tokens == from.tokens {
            return self.value(&from.tokens).map(drop);
        }
        if path.tokens.starts_with(&from.tokens) {
            return Err(format!("`{}` cannot be moved into itself", from.text));
        }
        let item = self.item(from, |value| {
            std::mem::replace(value, Content::Text(String::new()))
        })?;
        self.remove(from)?;
        self.add(path, item)
    }

    fn test(&mut self, path: &Path, expected: Value<'_>, double: ReadDouble) -> Result<(), String> {
        let same = match self.value(&path.tokens)? {
            Content::Raw(value) => equal::equal(*value, expected, double),
            other => {
                parse(&other.text()).is_ok_and(|found| equal::equal(found.root(), expected, double))
            }
        };
        same.then_some(())
            .ok_or_else(|| "the value there is another".to_owned())
    }

    /// The value at `from` with its comments.
    fn item(
        &mut self,
        from: &Path,
        value: impl FnOnce(&mut Content<'d>) -> Content<'d>,
    ) -> Result<Item<'d>, String> {
        let Some((last, parents)) = from.tokens.split_last() else {
            return Ok(Item::top(value(&mut self.root)));
        };
        let Spot {
            composite,
            indent,
            style,
        } = self.spot(parents, last)?;
        let position = composite.position(last)?;
        let site = Site {
            indent: &indent,
            style,
        };
        Item::of(composite, position, site, value).ok_or_else(|| literal(last))
    }

    /// The value that the tokens lead to, its parents opened.
    fn value(&mut self, tokens: &[String]) -> Result<&mut Content<'d>, String> {
        let Some((last, parents)) = tokens.split_last() else {
            return Ok(&mut self.root);
        };
        let Spot { composite, .. } = self.spot(parents, last)?;
        let position = composite.position(last)?;
        (composite.child_mut(position))
            .map(|child| &mut child.value)
            .ok_or_else(|| literal(last))
    }

    /// The composite that the tokens lead to, in which `last` is to be found.
    fn spot(&mut self, tokens: &[String], last: &str) -> Result<Spot<'_, 'd>, String> {
        let mut indent = line_indent(&self.before).unwrap_or_default().to_owned();
        let mut content = &mut self.root;
        for token in tokens {
            let composite = content.open().ok_or_else(|| literal(token))?;
            let position = composite.position(token)?;
            let child = composite
                .child_mut(position)
                .ok_or_else(|| literal(token))?;
            if let Some(line) = child.indent() {
                indent = line.to_owned();
            }
            content = &mut child.value;
        }
        let composite = content.open().ok_or_else(|| literal(last))?;
        Ok(Spot {
            composite,
            indent,
            style: &self.style,
        })
    }
}

fn literal(token: &str) -> String {
    format!("a literal has no member `{token}`")
}

/// Refuses a value that is nested too deep to be placed below this many composites.
fn check_depth(above: usize, value: &Content<'_>) -> Result<(), String> {
    if above + value.height_bound() <= MAX_DEPTH {
        return Ok(());
    }
    let height = parse(&value.text()).map_or(MAX_DEPTH, |document| height(document.root()));
    if above + height <= MAX_DEPTH {
        return Ok(());
    }
    Err(format!(
        "the result would be nested deeper than {MAX_DEPTH} levels"
    ))
}

fn height(value: Value<'_>) -> usize {
    match value.kind() {
        Kind::Object | Kind::Array => 1 + value.parts().map(height).max().unwrap_or_default(),
        _ => 0,
    }
}
