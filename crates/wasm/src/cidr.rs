//! The `cidr`, `routes` and `dns` namespaces. Must not live here: anything but calls and the two
//! forms in which lists of texts and of verdicts cross the border.

use std::fmt::Write;

use memchr::memchr_iter;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::arguments::{Arguments, unfit};
use crate::convert::to_js;
use crate::error::InvalidArgument;
use crate::short::{put_short, with_short};
use crate::text::{put, with_text};
use tailnet_kit::api::given::{self, Object};
use tailnet_kit::cidr::names::{self, Finding};
use tailnet_kit::cidr::{
    self, AddressSet, BareAddress, HostBits, Ipv4Mapped, Options, Prefix, Summary, Version,
};
use tailnet_kit::hujson::{Issue, Kind, Locator, Severity, Span, Value};

/// The verdicts on `count` texts parted by line feeds in the buffer (see [`verdicts`]); nothing if the
/// texts hold line feeds themselves. One text may hold anything.
#[wasm_bindgen]
pub fn cidr_check(
    length: usize,
    count: usize,
    options: Option<String>,
) -> Result<Option<usize>, InvalidArgument> {
    let options = (options.as_deref()).map_or(Ok(Options::default()), options_of)?;
    let answer = with_text(length, |texts| {
        Some(verdicts(&split(texts, count)?, options))
    });
    Ok(answer.map(put))
}

/// The verdict on the short text, as most prefixes are; with `mask`, on that without host bits. In the last three bits the
/// version, above them the length of the canonical form, which is in the place of the text now, nought if the text is it. For what
/// is refused these bits are nought, and above them is the length of what [`verdicts`] say, in the buffer.
#[wasm_bindgen]
pub fn cidr_short(length: usize, mask: bool) -> usize {
    with_short(length, |text| short_verdict(text, mask))
}

/// Calls that take the JSON of a list of their arguments. Each throws `invalid_argument` for others.
macro_rules! of_arguments {
    ($($(#[$about:meta])+ $name:ident -> $Given:ty = |$arguments:ident| $given:expr;)+) => {$(
        $(#[$about])+
        #[wasm_bindgen]
        pub fn $name(arguments: &str) -> Result<$Given, InvalidArgument> {
            let $arguments = Arguments::read(arguments)?;
            Ok($given)
        }
    )+};
}

of_arguments! {
    /// The canonical form of a prefix, from it and options.
    cidr_normalize -> String = |arguments| {
        let options = arguments.given(1).map(read_options).transpose()?;
        masked(arguments.text(0)?, options.unwrap_or_default())?.to_string()
    };
    /// Whether the first prefix covers the second.
    cidr_contains -> bool = |arguments| prefix(arguments.text(0)?)?.covers(prefix(arguments.text(1)?)?);
    /// Whether two prefixes share an address.
    cidr_overlaps -> bool = |arguments| prefix(arguments.text(0)?)?.overlaps(prefix(arguments.text(1)?)?);
    /// The fewest prefixes with the same addresses as a list.
    cidr_merge -> JsValue = |arguments| listed(&set(&arguments.texts(0)?)?);
    /// The fewest prefixes for what the first list has and the second has not.
    cidr_exclude -> JsValue = |arguments| {
        let (base, minus) = (set(&arguments.texts(0)?)?, set(&arguments.texts(1)?)?);
        listed(&base.minus(&minus))
    };
    /// Whether two lists hold the same addresses.
    cidr_same_set -> bool = |arguments| set(&arguments.texts(0)?)? == set(&arguments.texts(1)?)?;
    /// The issues of a nameserver entry.
    dns_check_nameserver -> JsValue = |arguments| {
        let text = arguments.text(0)?;
        issues(text, names::check_nameserver(text))
    };
    /// The issues of a search path.
    dns_check_search_path -> JsValue = |arguments| {
        let text = arguments.text(0)?;
        issues(text, names::check_search_path(text))
    };
}

/// What a device's route lists say together, from the JSON of a routes record.
#[wasm_bindgen]
pub fn routes_summarize(routes: &str) -> Result<JsValue, InvalidArgument> {
    let routes = given::read(routes)?;
    Ok(to_js(&summary(Object::of(routes.root()))?))
}

fn options_of(json: &str) -> Result<Options, InvalidArgument> {
    read_options(given::read(json)?.root())
}

fn read_options(value: Value<'_>) -> Result<Options, InvalidArgument> {
    let mut options = Options::default();
    if value.kind() != Kind::Object {
        return Err(unfit("an object of options"));
    }
    for (name, value) in Object::of(value).members() {
        match (name, value.as_str().unwrap_or_default()) {
            ("hostBits", "error") => options.host_bits = HostBits::Error,
            ("hostBits", "mask") => options.host_bits = HostBits::Mask,
            ("bareAddress", "error") => options.bare_address = BareAddress::Error,
            ("bareAddress", "host") => options.bare_address = BareAddress::Host,
            ("ipv4Mapped", "error") => options.ipv4_mapped = Ipv4Mapped::Error,
            ("ipv4Mapped", "unwrap") => options.ipv4_mapped = Ipv4Mapped::Unwrap,
            ("ipv4Mapped", "keep") => options.ipv4_mapped = Ipv4Mapped::Keep,
            ("hostBits", _) => return Err(unfit("`error` or `mask` for `hostBits`")),
            ("bareAddress", _) => return Err(unfit("`error` or `host` for `bareAddress`")),
            ("ipv4Mapped", _) => {
                return Err(unfit("`error`, `unwrap` or `keep` for `ipv4Mapped`"));
            }
            _ => return Err(unfit("`hostBits`, `bareAddress` and `ipv4Mapped` alone")),
        }
    }
    Ok(options)
}

fn split(texts: &str, count: usize) -> Option<Vec<&str>> {
    match count {
        0 => Some(Vec::new()),
        1 => Some(vec![texts]),
        _ => Some(lines(texts, count)).filter(|texts| texts.len() == count),
    }
}

fn lines(texts: &str, count: usize) -> Vec<&str> {
    let (mut lines, mut start) = (Vec::with_capacity(count), 0);
    for end in memchr_iter(b'\n', texts.as_bytes()) {
        lines.push(texts.get(start..end).unwrap_or_default());
        start = end + 1;
    }
    lines.push(texts.get(start..).unwrap_or_default());
    lines
}

/// A mark for each text, then in lines what a mark does not say: `4` or `6`, the family of a prefix
/// whose canonical form is the text itself; `.` or `:`, the same, a line has the canonical form; `!`,
/// refused, two lines have the code and the message; `?`, refused, a third line has the suggestion.
/// No line holds a line feed.
fn verdicts(texts: &[&str], options: Options) -> String {
    let (mut marks, mut lines) = (String::with_capacity(texts.len()), String::new());
    for text in texts {
        marks.push(verdict(text, options, &mut lines));
    }
    marks + &lines
}

fn short_verdict(text: &str, mask: bool) -> usize {
    let host_bits = if mask {
        HostBits::Mask
    } else {
        HostBits::Error
    };
    let options = Options {
        host_bits,
        ..Options::default()
    };
    match cidr::check_spelling(text, options) {
        Ok((prefix, true)) => version(prefix),
        Ok((prefix, false)) => put_short(&prefix.to_string()) << 3 | version(prefix),
        Err(error) => {
            let mut lines = String::new();
            let mark = refusal(&error, &mut lines);
            lines.insert(0, mark);
            put(lines) << 3
        }
    }
}

fn verdict(text: &str, options: Options, lines: &mut String) -> char {
    match cidr::check_spelling(text, options) {
        Ok((prefix, true)) => family(prefix, '4', '6'),
        Ok((prefix, false)) => {
            lines.push('\n');
            prefix.write_to(lines);
            family(prefix, '.', ':')
        }
        Err(error) => refusal(&error, lines),
    }
}

fn version(prefix: Prefix) -> usize {
    match prefix.version() {
        Version::V4 => 4,
        Version::V6 => 6,
    }
}

fn family(prefix: Prefix, v4: char, v6: char) -> char {
    match prefix.version() {
        Version::V4 => v4,
        Version::V6 => v6,
    }
}

fn refusal(error: &cidr::Error, lines: &mut String) -> char {
    // A `String` takes all that is written.
    let _ = write!(lines, "\n{}\n{error}", error.code());
    let Some(suggestion) = error.suggestion() else {
        return '!';
    };
    lines.push('\n');
    lines.push_str(suggestion);
    '?'
}

/// A prefix as `options` take it, host bits masked.
fn masked(text: &str, options: Options) -> Result<Prefix, cidr::Error> {
    let host_bits = HostBits::Mask;
    cidr::check(
        text,
        Options {
            host_bits,
            ..options
        },
    )
}

fn prefix(text: &str) -> Result<Prefix, cidr::Error> {
    masked(text, Options::default())
}

fn set(texts: &[String]) -> Result<AddressSet, cidr::Error> {
    texts.iter().map(|text| prefix(text)).collect()
}

fn listed(set: &AddressSet) -> JsValue {
    to_js(&Vec::from_iter(set.prefixes()))
}

fn summary(routes: Object<'_>) -> Result<Summary, InvalidArgument> {
    let advertised = kept(&routes.texts("advertisedRoutes")?)?;
    let enabled = kept(&routes.texts("enabledRoutes")?)?;
    Ok(cidr::summarize(&advertised, &enabled))
}

/// Routes as the service holds them: the mapped form stays what it is.
fn kept(texts: &[String]) -> Result<Vec<Prefix>, cidr::Error> {
    let ipv4_mapped = Ipv4Mapped::Keep;
    let options = Options {
        ipv4_mapped,
        ..Options::default()
    };
    texts.iter().map(|text| masked(text, options)).collect()
}

fn issues(text: &str, findings: impl IntoIterator<Item = Finding>) -> JsValue {
    let places = Locator::new(text);
    let findings = findings.into_iter();
    to_js(&Vec::from_iter(
        findings.map(|finding| issue(finding, &places)),
    ))
}

fn issue(finding: Finding, places: &Locator<'_>) -> Issue {
    let severity = match finding.severity {
        names::Severity::Error => Severity::Error,
        names::Severity::Warning => Severity::Warning,
    };
    let place = Span {
        start: finding.place.start,
        end: finding.place.end,
    };
    Issue {
        hint: finding.hint,
        ..Issue::at(places, place, severity, finding.code, finding.message)
    }
}
