//! Reading the shape of a document: objects with known keys, tables, lists of strings.
//! `null` counts as absent everywhere, as in the service's decoder.
//! Must not live here: which keys the policy language has.

use crate::hujson::{self, Member, Members, Span, Value};

use super::document::{Policy, Table, Word};
use super::grammar::{FoundKey, Object};
use super::selector::{Autogroup, Destination, Kind, Selector, Selectors};
use crate::policy::findings::finding::Finding;
use crate::policy::findings::hint::{Hint, documented, ours};
use crate::policy::findings::words::{self, Guesses};

/// Room that is made for a list before its length is known.
const FEW: usize = 16;

/// Reads values and collects their faults, in the order of the text.
#[derive(Debug)]
pub(crate) struct Reader<'t> {
    selectors: Selectors<'t>,
    faults: Vec<Finding>,
    old_names: Vec<(Span, &'static str)>,
    member_names: [Option<Span>; 2],
    guesses: Guesses,
    /// Where entries of lists are read; everywhere without one.
    part: Option<Span>,
}

impl<'t> Reader<'t> {
    /// For a document with this text: for all of it, or for the entries of lists that touch a part.
    pub(crate) fn of(whole: &'t str, part: Option<Span>) -> Reader<'t> {
        Reader {
            selectors: Selectors::of(whole),
            faults: Vec::new(),
            old_names: Vec::new(),
            member_names: [None; 2],
            guesses: Guesses::of(whole),
            part,
        }
    }

    /// Returns the collected faults.
    pub(crate) fn finish(self, policy: &mut Policy<'t>) {
        policy.faults = self.faults;
        policy.old_names = self.old_names;
        policy.member_names = self.member_names;
    }

    /// Notes which of its two names the autogroup of all members has here.
    fn member_name(&mut self, selector: &Selector<'_>) {
        if selector.kind == Kind::Autogroup(Autogroup::Member) {
            let [modern, old] = &mut self.member_names;
            let place = match selector.name() {
                "autogroup:members" => old,
                _ => modern,
            };
            place.get_or_insert(selector.span);
        }
    }

    /// Notes what is wrong with a value of the right shape.
    pub(crate) fn fault(&mut self, finding: Finding) {
        self.faults.push(finding);
    }

    /// Passes on each member of an object with a known key, in any case; `null` is left out.
    /// Unknown and repeated keys are noted.
    #[inline(never)]
    pub(crate) fn fields(
        &mut self,
        object: Value<'t>,
        keys: &Object,
        take: &mut dyn FnMut(&mut Self, FoundKey, Value<'t>),
    ) {
        let mut seen = 0_u32;
        for (place, member) in self.members(object).enumerate() {
            let name = member.name.as_str().unwrap_or_default();
            let Some(found) = keys.find(name, place) else {
                self.unknown_field(member, name, keys);
                continue;
            };
            let bit = 1_u32.checked_shl(found.at as u32).unwrap_or(0);
            if seen & bit != 0 {
                self.duplicate(member, name);
            }
            seen |= bit;
            if !found.exact {
                self.old_name(member, found.spec.name);
            }
            if !is_null(member.value) {
                take(self, found, member.value);
            }
        }
    }

    /// Every element of an array in the part that is read, in its place in the list; none if there is `null` or something else.
    pub(crate) fn items<T: Default>(
        &mut self,
        value: Value<'t>,
        mut read: impl FnMut(&mut Self, Value<'t>, &mut T),
    ) -> Option<Vec<T>> {
        self.want_array(value);
        if value.kind() != hujson::Kind::Array {
            return None;
        }
        // Counting is quick, and a long list that grows is copied again and again.
        let mut items = Vec::with_capacity(value.elements().count());
        for element in value.elements() {
            let span = element.span();
            if (self.part).is_none_or(|part| span.start <= part.end && part.start <= span.end) {
                items.push(T::default());
                if let Some(item) = items.last_mut() {
                    read(self, element, item);
                }
            }
        }
        Some(items)
    }

    /// Every member of an object with its name.
    pub(crate) fn entries<T>(
        &mut self,
        value: Value<'t>,
        mut read: impl FnMut(&mut Self, Word<'t>, Value<'t>) -> T,
    ) -> Vec<T> {
        let members = self.members(value);
        let entry = |member: Member<'t>| {
            let text = member.name.as_str().unwrap_or_default();
            let span = member.name.span();
            read(self, Word { text, span }, member.value)
        };
        members.map(entry).collect()
    }

    /// A section that maps names to something.
    pub(crate) fn table<T>(
        &mut self,
        value: Value<'t>,
        mut read: impl FnMut(&mut Self, Value<'t>) -> T,
    ) -> Table<'t, T> {
        let mut table = Table::default();
        for member in self.members(value) {
            let text = member.name.as_str().unwrap_or_default();
            let word = Word {
                text,
                span: member.name.span(),
            };
            let content = read(self, member.value);
            if !table.insert(word, content) {
                self.duplicate(member, text);
            }
        }
        table
    }

    /// Every string of a list; a `null` in it is the empty string, as in the service's decoder.
    pub(crate) fn strings<T>(
        &mut self,
        value: Value<'t>,
        mut read: impl FnMut(&mut Self, &'t str, Span) -> T,
    ) -> Vec<T> {
        self.want_array(value);
        let elements = value.elements();
        let most = elements.size_hint().1.unwrap_or_default();
        let mut items = Vec::with_capacity(most.min(FEW));
        for element in elements {
            if let Some(text) = self.string(element) {
                items.push(read(self, text, element.span()));
            }
        }
        items
    }

    fn string(&mut self, element: Value<'t>) -> Option<&'t str> {
        let text = element.as_str();
        if text.is_none() {
            self.want(element, hujson::Kind::String);
            return is_null(element).then_some("");
        }
        text
    }

    pub(crate) fn words(&mut self, value: Value<'t>) -> Vec<Word<'t>> {
        self.strings(value, |_, text, span| Word { text, span })
    }

    pub(crate) fn selectors(&mut self, value: Value<'t>) -> Vec<Selector<'t>> {
        self.strings(value, Reader::listed)
    }

    pub(crate) fn destinations(&mut self, value: Value<'t>) -> Vec<Destination<'t>> {
        self.strings(value, |reader, text, span| {
            let destination = reader.selectors.destination(text, span);
            reader.member_name(&destination.host);
            destination
        })
    }

    /// A selector of a list.
    fn listed(&mut self, text: &'t str, span: Span) -> Selector<'t> {
        let selector = self.selectors.selector(text, span);
        self.member_name(&selector);
        selector
    }

    /// One string; none if there is `null` or something else.
    pub(crate) fn word(&mut self, value: Value<'t>) -> Option<Word<'t>> {
        let Some(text) = value.as_str() else {
            self.want(value, hujson::Kind::String);
            return None;
        };
        let span = value.span();
        Some(Word { text, span })
    }

    pub(crate) fn selector(&mut self, value: Value<'t>) -> Option<Selector<'t>> {
        let word = self.word(value)?;
        Some(self.selectors.selector(word.text, word.span))
    }

    /// One selector; the empty one if there is none, so that the entry stays in its table.
    pub(crate) fn selector_or_empty(&mut self, value: Value<'t>) -> Selector<'t> {
        let selector = self.selector(value);
        selector.unwrap_or_else(|| Selector::new("", value.span()))
    }

    /// The value itself if it is an object.
    pub(crate) fn object(&mut self, value: Value<'t>) -> Option<Value<'t>> {
        self.want(value, hujson::Kind::Object);
        (value.kind() == hujson::Kind::Object).then_some(value)
    }

    pub(crate) fn want_array(&mut self, value: Value<'_>) {
        self.want(value, hujson::Kind::Array);
    }

    pub(crate) fn want_bool(&mut self, value: Value<'_>) {
        self.want(value, hujson::Kind::Bool);
    }

    /// The members of what should be an object.
    fn members(&mut self, value: Value<'t>) -> Members<'t> {
        self.want(value, hujson::Kind::Object);
        value.members()
    }

    /// Notes a value of another type, unless it is `null`.
    fn want(&mut self, value: Value<'_>, wanted: hujson::Kind) {
        let found = value.kind();
        if found != wanted && found != hujson::Kind::Null {
            self.wrong_type(value, wanted, as_kind(value, wanted));
        }
    }

    /// Whether a document is an object; notes one that is not, `null` too.
    pub(crate) fn is_document(&mut self, root: Value<'_>) -> bool {
        let is_object = root.kind() == hujson::Kind::Object;
        if !is_object {
            let hint = Hint::words("a policy is an object: `{ \"acls\": [ … ] }`");
            self.wrong_type(root, hujson::Kind::Object, Some(hint));
        }
        is_object
    }

    #[inline(never)]
    fn wrong_type(&mut self, value: Value<'_>, wanted: hujson::Kind, hint: Option<Hint>) {
        let (found, wanted) = (kind_name(value.kind()), kind_name(wanted));
        let message = ours(&[
            "json: cannot unmarshal ",
            found,
            " where ",
            wanted,
            " is expected",
        ]);
        let finding = Finding::error("wrong_type", value.span(), message);
        self.faults.push(finding.hint(hint));
    }

    fn unknown_field(&mut self, member: Member<'_>, name: &str, keys: &Object) {
        let message = documented(&["json: unknown field ", &words::quoted(name)]);
        let finding = Finding::error("unknown_field", member.name.span(), message);
        self.faults
            .push(finding.hint(keys.hint(name, &self.guesses)));
    }

    /// Once for each key is enough: old files have the same few on every line. Those for one of today's keys differ in length.
    fn old_name(&mut self, member: Member<'_>, modern: &'static str) {
        let span = member.name.span();
        let length = |span: Span| span.end - span.start;
        let mut known = self.old_names.iter();
        if !known.any(|(old, known)| *known == modern && length(*old) == length(span)) {
            self.old_names.push((span, modern));
        }
    }

    fn duplicate(&mut self, member: Member<'_>, name: &str) {
        let message = documented(&["duplicate object member name ", &words::quoted(name)]);
        let finding = Finding::error("duplicate_key", member.name.span(), message);
        let hint = Hint::words("only the last of them would count; merge them into one");
        self.faults.push(finding.hint(Some(hint)));
    }
}

/// How to write a value so that it has the wanted type.
fn as_kind(value: Value<'_>, wanted: hujson::Kind) -> Option<Hint> {
    use hujson::Kind::{Array, Bool, Number, Object, String};
    Some(match (wanted, value.kind()) {
        (Array, String) => {
            let list = words::joined(&["[", value.raw(), "]"]);
            Hint::write(&["write it as a list: ", &list])
        }
        (Array, Object) => Hint::words("put it in a list: `[ … ]`"),
        (String, Number | Bool) => {
            let string = words::joined(&["\"", value.raw(), "\""]);
            Hint::write(&["write it in quotes: ", &string])
        }
        (String, Array) => Hint::words("write a single string, without brackets"),
        (Bool, _) => Hint::words("write true or false, without quotes"),
        _ => return None,
    })
}

fn is_null(value: Value<'_>) -> bool {
    value.kind() == hujson::Kind::Null
}

/// The name of a type in the service's decoder.
fn kind_name(kind: hujson::Kind) -> &'static str {
    match kind {
        hujson::Kind::Null => "null",
        hujson::Kind::Bool => "bool",
        hujson::Kind::Number => "number",
        hujson::Kind::String => "string",
        hujson::Kind::Object => "object",
        hujson::Kind::Array => "array",
    }
}
