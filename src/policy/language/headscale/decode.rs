//! The shape of a document as Headscale's decoder reads it: keys in any spelling, the place of each fault as a pointer.
//! `null` counts as absent. Must not live here: which keys there are (`grammar`), what a section holds.

use crate::hujson::{Document, Kind, Member, Span, Value, pointer};
use crate::policy::findings::finding::Finding;
use crate::policy::findings::hint::{Hint, recorded};
use crate::policy::findings::words::{self, filled, joined, said};
use crate::policy::language::document::{Policy, Word};
use crate::policy::language::grammar::{Key, KeySpec, Object};
use crate::policy::language::ports::PortError;
use crate::policy::language::selector::{self, Destination, Selector, Selectors};

use crate::tables::find::{find, rsplit_once};

use super::selectors::kind_of;

/// How many bytes of a broken surrogate pair are shown: those of a whole one.
const SHOWN: usize = 12;

/// What stands before each fault of a value.
const DECODING: &str = "parsing policy from bytes: ";

/// An object: what its decoder calls it, and its keys.
pub(super) struct Fields {
    pub go: &'static str,
    pub object: &'static Object,
    pub repeats: Repeats,
}

/// What a key that another spelling repeats is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeats {
    /// A fault of the text.
    OfText,
    /// A fault of the value.
    OfValue,
}

/// Reads values and collects their faults; the first is the refusal.
pub(super) struct Decoder<'t> {
    whole: &'t str,
    selectors: Selectors<'t>,
    path: String,
    faults: Vec<Finding>,
    /// Where entries of lists of rules are read; everywhere without one.
    part: Option<Span>,
}

impl<'t> Decoder<'t> {
    pub fn new(whole: &'t str, part: Option<Span>) -> Decoder<'t> {
        Decoder {
            whole,
            selectors: Selectors::of(whole),
            path: String::new(),
            faults: Vec::new(),
            part,
        }
    }

    pub fn finish(self, policy: &mut Policy<'t>) {
        policy.faults = self.faults;
    }

    /// Goes on inside a member or an element. Returns what it takes to leave it.
    #[inline(never)]
    pub fn enter(&mut self, token: &str) -> usize {
        let length = self.path.len();
        self.path.push('/');
        self.path.push_str(&pointer::escape(token));
        length
    }

    pub fn leave(&mut self, length: usize) {
        self.path.truncate(length);
    }

    /// Notes the first string with half of a surrogate pair: no text can be made of it.
    pub fn surrogates(&mut self, document: &Document<'_>) {
        let Some(span) = half_surrogate(document) else {
            return;
        };
        let end = document.text().ceil_char_boundary(span.start + SHOWN);
        let shown = document.text().get(span.start..end).unwrap_or_default();
        let place = pointer::pointer_at(document, span.start);
        let words = "jsontext: invalid surrogate pair `%s` in string within %q after offset %s";
        let names = [shown, &place, &words::shown(&span.start)];
        let words = joined(&[DECODING, &filled(words, &names)]);
        self.whole("wrong_type", span, &words);
    }

    /// A fault that is the whole refusal.
    pub fn whole(&mut self, code: &'static str, span: Span, words: &str) {
        let fault = Finding::error(code, span, recorded(&[words]));
        self.faults.push(fault);
    }

    /// A value that its decoder does not take, and why if it says so.
    pub fn misfit(&mut self, code: &'static str, value: Value<'_>, go: &str, cause: &str) {
        self.misfit_at(code, (value.span(), kind_name(value.kind())), go, cause);
    }

    /// The same for something of this kind.
    pub fn misfit_at(
        &mut self,
        code: &'static str,
        (span, kind): (Span, &str),
        go: &str,
        cause: &str,
    ) {
        let colon = if cause.is_empty() { "" } else { ": " };
        let words = "json: cannot unmarshal JSON %s into Go %s%s%s%s";
        let words = filled(words, &[kind, go, &self.within(), colon, cause]);
        self.whole(code, span, &joined(&[DECODING, &words]));
    }

    /// The last token of the place that is read.
    pub fn last(&self) -> &str {
        rsplit_once(&self.path, b'/').map_or("", |(_, last)| last)
    }

    fn within(&self) -> String {
        match &self.path[..] {
            "" => String::new(),
            path => filled(" within %q", &[path]),
        }
    }

    /// Whether a value is of this kind; notes one that is neither this nor `null`.
    pub fn want(&mut self, value: Value<'_>, kind: Kind, go: &str) -> bool {
        let found = value.kind();
        if found != kind && found != Kind::Null {
            self.misfit("wrong_type", value, go, "");
        }
        found == kind
    }

    /// Passes on each member of an object with a known key, `null` too.
    pub fn fields(
        &mut self,
        object: Value<'t>,
        shape: &Fields,
        take: &mut dyn FnMut(&mut Self, Key, Value<'t>),
    ) {
        if !self.want(object, Kind::Object, shape.go) {
            return;
        }
        let mut seen: Vec<(Key, &str)> = Vec::new();
        for member in object.members() {
            let name = member.name.as_str().unwrap_or_default();
            let Some(KeySpec { key, .. }) = shape.object.key(name) else {
                if !is_remark(shape, name) {
                    self.unknown(member, shape);
                }
                continue;
            };
            let key = *key;
            if let Some((_, first)) = seen.iter().find(|(own, _)| *own == key) {
                self.repeated(object, member, shape, *first == name);
            }
            seen.push((key, name));
            let outside = self.enter(name);
            take(self, key, member.value);
            self.leave(outside);
        }
    }

    /// A key that this language does not have; the older one of the service has another name here.
    fn unknown(&mut self, member: Member<'_>, shape: &Fields) {
        let name = member.name.as_str().unwrap_or_default();
        let words = said("unknown field: %q", &[name]);
        let twin = shape.object.twin.and_then(|twin| twin.key(name));
        let today = twin.map(|key| key.name).filter(|today| *today != name);
        let today = today.filter(|today| shape.object.key(today).is_some());
        let hint = today.map(|today| Hint::write(&["write ", today]));
        let fault = Finding::error("unknown_field", member.name.span(), words);
        self.faults.push(fault.hint(hint));
    }

    /// A key for the second time, spelled alike or not.
    fn repeated(&mut self, object: Value<'_>, member: Member<'_>, shape: &Fields, alike: bool) {
        let name = member.name.as_str().unwrap_or_default();
        let words = filled("duplicate object member name %q", &[name]);
        if shape.repeats == Repeats::OfText || alike {
            return self.repeated_name(member, name);
        }
        let place = (member.name.span(), kind_name(object.kind()));
        let go = shape.go_of_repeats();
        self.misfit_at("duplicate_key", place, go, &words);
    }

    /// A name for the second time, in an object whose names the writer chooses.
    pub fn repeated_name(&mut self, member: Member<'_>, name: &str) {
        let words = "jsontext: duplicate object member name %q%s";
        let words = filled(words, &[name, &self.within()]);
        let words = joined(&[DECODING, &words]);
        self.whole("duplicate_key", member.name.span(), &words);
    }

    /// Passes on each element of a list that touches a part of the text, if one is given. Returns whether it is a list: `null` is none.
    #[inline(never)]
    fn each(
        &mut self,
        (list, go): (Value<'t>, &str),
        part: Option<Span>,
        take: &mut dyn FnMut(&mut Self, Value<'t>),
    ) -> bool {
        let is_list = self.want(list, Kind::Array, go);
        for (at, element) in list.elements().enumerate() {
            let span = element.span();
            if part.is_none_or(|part| span.start <= part.end && part.start <= span.end) {
                let outside = self.enter(&words::shown(&at));
                take(self, element);
                self.leave(outside);
            }
        }
        is_list
    }

    /// What its elements are read as, but for those that are nothing.
    pub fn list<T>(
        &mut self,
        value: Value<'t>,
        go: &str,
        read: impl Fn(&mut Self, Value<'t>) -> Option<T>,
    ) -> Vec<T> {
        let mut items = Vec::new();
        self.each((value, go), None, &mut |decoder, element| {
            if let Some(item) = read(decoder, element) {
                items.push(item);
            }
        });
        items
    }

    /// The same for rules: those in the part that is read.
    pub fn rules<T>(
        &mut self,
        value: Value<'t>,
        go: &str,
        read: impl Fn(&mut Self, Value<'t>) -> T,
    ) -> Option<Vec<T>> {
        let mut items = Vec::new();
        let take = &mut |decoder: &mut Self, element| items.push(read(decoder, element));
        self.each((value, go), self.part, take).then_some(items)
    }

    /// A string; the empty one for `null`, none for anything else.
    pub fn text(&mut self, value: Value<'t>, go: &str) -> Option<&'t str> {
        match self.want(value, Kind::String, go) {
            true => value.as_str(),
            false => (value.kind() == Kind::Null).then_some(""),
        }
    }

    /// A list of strings.
    pub fn words(&mut self, value: Value<'t>, (list, each): (&str, &str)) -> Vec<Word<'t>> {
        self.list(value, list, |decoder, element| {
            let text = decoder.text(element, each)?;
            let span = element.span();
            Some(Word { text, span })
        })
    }

    /// A selector of a text, whatever it is. Where blanks count, a user with blanks is another one: the quote before them keeps them in
    /// the name, and nobody has it.
    pub fn selector(&mut self, text: &'t str, span: Span) -> Selector<'t> {
        let own = selector::trimmed(text);
        let kind = kind_of(own);
        let quoted = || self.whole.get(span.start..=span.start + text.len());
        let text = match kind {
            Some(selector::Kind::User) if own != text => quoted().unwrap_or(text),
            _ => text,
        };
        self.selectors
            .of_kind(text, span, kind.unwrap_or(selector::Kind::Host))
    }

    /// A destination of a text, with ports if it has any.
    pub fn destination(&mut self, text: &'t str, span: Span) -> Destination<'t> {
        match super::ports::destination(text) {
            Ok((host, ports)) => Destination::known(text, self.selector(host, span), Ok(ports)),
            Err(_) => Destination::known(text, self.selector(text, span), Err(PortError::Colon)),
        }
    }
}

impl Fields {
    /// What the decoder of its repeated keys calls it.
    fn go_of_repeats(&self) -> &'static str {
        match self.go {
            "map[string]interface {}" => "v2.ACL",
            "struct" => "v2.SSHPolicyTest",
            go => go,
        }
    }
}

/// The first escape of half of a surrogate pair, in the order of the text.
fn half_surrogate(document: &Document<'_>) -> Option<Span> {
    let mut at = 0;
    loop {
        at += find(document.text().get(at..)?.as_bytes(), b"\\")?;
        let Some(string) = document.string_over(at) else {
            at += 1;
            continue;
        };
        let half = half_in(document.text().get(string.start..string.end)?);
        if let Some(half) = half {
            let start = string.start + half;
            let end = start + 6;
            return Some(Span { start, end });
        }
        at = string.end;
    }
}

/// Where it is in a string.
fn half_in(raw: &str) -> Option<usize> {
    let unit = |at: usize| {
        let digits = raw.get(at..)?.strip_prefix("\\u")?.get(..4)?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut at = 0;
    while at < raw.len() {
        let is_escape = raw.as_bytes().get(at) == Some(&b'\\');
        at += match unit(at) {
            Some(0xd800..=0xdbff) => match unit(at + 6) {
                Some(0xdc00..=0xdfff) => 12,
                _ => return Some(at),
            },
            Some(0xdc00..=0xdfff) => return Some(at),
            _ => 1 + usize::from(is_escape),
        };
    }
    None
}

/// Whether a member is a remark of a user interface: only rules of acls have them.
fn is_remark(shape: &Fields, name: &str) -> bool {
    shape.go == "map[string]interface {}" && name.starts_with('#')
}

/// The kind of a value in the words of the decoder.
#[inline(never)]
pub(super) fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "null",
        Kind::Bool => "boolean",
        Kind::Number => "number",
        Kind::String => "string",
        Kind::Object => "object",
        Kind::Array => "array",
    }
}

/// The type that a value has in Headscale's language.
#[inline(never)]
pub(super) fn go_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "<nil>",
        Kind::Bool => "bool",
        Kind::Number => "float64",
        Kind::String => "string",
        Kind::Object => "map[string]interface {}",
        Kind::Array => "[]interface {}",
    }
}
