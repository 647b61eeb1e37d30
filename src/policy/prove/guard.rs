//! Reading a guard: a HuJSON list of assertions, each with its place.
//! Must not live here: whether assertions hold, what the names in them mean.

use crate::hujson::{self, Kind, Locator, Member, Span, Value};

use crate::policy::findings::words::{did_you_mean, joined, quoted};
use crate::policy::language::json::{Json, PlainJson};
use crate::policy::language::login::Account;
use crate::policy::language::port_set::PortSet;
use crate::policy::language::ports::{PortRange, Ports, Protocol};
use crate::policy::verdict::Error;

/// A list of assertions about a policy.
#[derive(Clone, Debug)]
pub struct Guard {
    pub(super) assertions: Vec<Assertion>,
}

/// One assertion.
#[derive(Clone, Debug)]
pub(super) struct Assertion {
    /// As it was given.
    pub given: PlainJson,
    /// The line of its `{` in a guard file.
    pub line: Option<usize>,
    /// The place of its claim, in words.
    pub place: String,
    /// What it says.
    pub says: Says,
    /// Why it says nothing, if a value in it means nothing: an account, ports or a protocol.
    pub void: Option<String>,
}

impl Assertion {
    /// The claim, unless it compares with another policy.
    pub fn claim(&self) -> Option<&Claim> {
        match &self.says {
            Says::Flows(_, claim, ..) | Says::Logins(_, claim, _) => Some(claim),
            Says::Access(..) => None,
        }
    }
}

/// What an assertion says.
#[derive(Clone, Debug)]
pub(super) enum Says {
    /// A claim about flows of these protocols and ports; whether also over devices between.
    Flows(Verb, Claim, PortSet, bool),
    /// A claim about logins as these accounts.
    Logins(Verb, Claim, Vec<String>),
    /// There is no more access than another policy gives, or exactly the same.
    Access(Verb, Base),
}

/// How a claim is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verb {
    /// Nothing of it is allowed.
    Never,
    /// All of it is allowed.
    Always,
    /// Nobody but its sources is allowed any of it.
    Only,
    /// No more is allowed than by another policy.
    NoMore,
    /// The same is allowed as by another policy.
    Same,
}

/// The names of a claim.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    /// Sources as in a policy.
    pub from: Vec<String>,
    /// Destinations without ports.
    pub to: Vec<String>,
}

/// Another policy.
#[derive(Clone, Debug)]
pub(super) enum Base {
    /// By its name.
    Named(String),
    /// As its text.
    Written(String),
}

const ASSERTION: [&str; 6] = ["why", "never", "always", "only", "noMoreThan", "sameAs"];
const CLAIM: [&str; 6] = ["from", "to", "ports", "proto", "users", "paths"];

impl Guard {
    /// Reads a guard. In a file each assertion has a line, and mistakes have line and column; in a guard made from objects they
    /// have the index in the list.
    ///
    /// # Errors
    /// [`Error::Syntax`] for text that is not HuJSON, [`Error::Argument`] for a value that is not a list of assertions.
    #[inline(never)]
    pub fn read(text: &str, is_file: bool) -> Result<Guard, Error> {
        let document = hujson::parse(text)?;
        let mut reader = GuardReader {
            places: Locator::new(text),
            is_file,
            at: 0,
            void: None,
        };
        let root = document.root();
        if root.kind() != Kind::Array {
            return Err(reader.fail(root.span(), "a guard is a list of assertions"));
        }
        let mut assertions = Vec::new();
        for value in root.elements() {
            reader.at += 1;
            assertions.push(reader.assertion(value)?);
        }
        Ok(Guard { assertions })
    }

    /// The policies that assertions are compared with, one for each assertion that compares.
    pub(super) fn bases(&self) -> impl Iterator<Item = &Base> {
        let each = self.assertions.iter();
        each.filter_map(|assertion| match &assertion.says {
            Says::Access(_, base) => Some(base),
            _ => None,
        })
    }
}

impl Base {
    /// Its text, or why there is none.
    pub fn text<'g>(&'g self, bases: &'g [(String, String)]) -> Result<&'g str, String> {
        let name = match self {
            Base::Written(text) => return Ok(text),
            Base::Named(name) => name,
        };
        match bases.iter().find(|(known, _)| known == name) {
            Some((_, text)) => Ok(text),
            None => Err(no_base(name, bases)),
        }
    }

    /// What to call it.
    pub fn words(&self) -> String {
        match self {
            Base::Named(name) => joined(&["the base `", name, "`"]),
            Base::Written(_) => "the given policy".to_owned(),
        }
    }
}

fn no_base(name: &str, bases: &[(String, String)]) -> String {
    // Whole policies do not belong into a message.
    if name.contains(['{', '\n']) {
        return "another policy is given as an object or by the name of a base, not as a text"
            .to_owned();
    }
    let mut message = joined(&["no base is called `", name, "`; there "]);
    let mut between = if bases.len() == 1 { "is `" } else { "are `" };
    for (known, _) in bases {
        message.push_str(&joined(&[between, known, "`"]));
        between = ", `";
    }
    if bases.is_empty() {
        message.push_str("is none");
    }
    message
}

/// Reads one guard.
struct GuardReader<'t> {
    places: Locator<'t>,
    is_file: bool,
    /// The index of the assertion that is read.
    at: usize,
    /// Why that assertion says nothing.
    void: Option<String>,
}

impl GuardReader<'_> {
    /// A place in words.
    fn place(&self, span: Span) -> String {
        if !self.is_file {
            return joined(&["assertion ", &self.at.to_string(), ": "]);
        }
        let place = self.places.locate(span.start);
        let (line, column) = (place.line.to_string(), place.column.to_string());
        joined(&["line ", &line, ", column ", &column, ": "])
    }

    #[inline(never)]
    fn fail(&self, span: Span, message: &str) -> Error {
        Error::Argument(joined(&[&self.place(span), message]))
    }

    /// The members of an object with these keys, without those that are `null`.
    fn members<'t>(
        &self,
        value: Value<'t>,
        what: &str,
        keys: &[&str],
    ) -> Result<Vec<Member<'t>>, Error> {
        if value.kind() != Kind::Object {
            return Err(self.fail(value.span(), &joined(&[what, " is an object"])));
        }
        let mut members: Vec<Member<'t>> = Vec::new();
        for member in value.members() {
            let name = member.name.as_str().unwrap_or_default();
            let span = member.name.span();
            if !keys.contains(&name) {
                let mut message = joined(&["unknown key ", &quoted(name)]);
                if let Some(hint) = did_you_mean(name, &mut keys.iter().copied()) {
                    message.push_str(&joined(&["; ", &hint]));
                }
                return Err(self.fail(span, &message));
            }
            if members
                .iter()
                .any(|known| known.name.as_str() == Some(name))
            {
                return Err(self.fail(span, &joined(&["`", name, "` stands here twice"])));
            }
            if member.value.kind() != Kind::Null {
                members.push(member);
            }
        }
        Ok(members)
    }

    fn assertion(&mut self, value: Value<'_>) -> Result<Assertion, Error> {
        let mut members = self.members(value, "an assertion", &ASSERTION)?;
        if let Some(at) = members
            .iter()
            .position(|member| member.name.as_str() == Some("why"))
        {
            self.text(members.remove(at).value, "`why`")?;
        }
        let [only] = members[..] else {
            let message = "an assertion has one of never, always, only, noMoreThan, sameAs";
            return Err(self.fail(value.span(), message));
        };
        let says = match only.name.as_str() {
            Some("never") => self.claim(Verb::Never, only.value)?,
            Some("always") => self.claim(Verb::Always, only.value)?,
            Some("only") => self.claim(Verb::Only, only.value)?,
            Some("sameAs") => Says::Access(Verb::Same, self.base(only.value)?),
            _ => Says::Access(Verb::NoMore, self.base(only.value)?),
        };
        let line = self.places.locate(value.span().start).line;
        Ok(Assertion {
            given: Json::of(value).plain(),
            line: self.is_file.then_some(line),
            place: self.place(only.value.span()),
            says,
            void: self.void.take(),
        })
    }

    fn base(&self, value: Value<'_>) -> Result<Base, Error> {
        match (value.kind(), value.as_str()) {
            (Kind::Object, _) => Ok(Base::Written(value.raw().to_owned())),
            (_, Some(name)) => Ok(Base::Named(name.to_owned())),
            _ => Err(self.fail(
                value.span(),
                "the other policy is an object or the name of one",
            )),
        }
    }

    fn claim(&mut self, verb: Verb, value: Value<'_>) -> Result<Says, Error> {
        let members = self.members(value, "a claim", &CLAIM)?;
        let find = |name: &str| {
            members
                .iter()
                .find(|member| member.name.as_str() == Some(name))
        };
        let names = |name: &str| match find(name) {
            Some(member) => self.names(member.value, name),
            None => Err(self.fail(value.span(), &joined(&["a claim has a `", name, "`"]))),
        };
        let claim = Claim {
            from: names("from")?,
            to: names("to")?,
        };
        let (ports, protocol, paths) = (find("ports"), find("proto"), find("paths"));
        if let Some(paths) = paths.filter(|_| verb != Verb::Never) {
            return Err(self.fail(paths.name.span(), "`paths` goes with never only"));
        }
        let Some(users) = find("users") else {
            let over = self.is_true(paths.map(|m| m.value))?;
            let wanted = self.wanted(verb, ports.map(|m| m.value), protocol.map(|m| m.value))?;
            return Ok(Says::Flows(verb, claim, wanted, over));
        };
        if let Some(stranger) = ports.or(protocol).or(paths) {
            let message = "a claim about logins has no `ports`, no `proto` and no `paths`";
            return Err(self.fail(stranger.name.span(), message));
        }
        let accounts = self.names(users.value, "users")?;
        if let Some(unfit) = accounts.iter().find(|name| !is_account(name)) {
            self.void = Some(joined(&[
                &quoted(unfit),
                " is no account; all but root are `autogroup:nonroot`",
            ]));
        }
        Ok(Says::Logins(verb, claim, accounts))
    }

    /// The protocols and ports of a claim. A claim that names ports is about protocols with ports.
    fn wanted(
        &mut self,
        verb: Verb,
        ports: Option<Value<'_>>,
        protocol: Option<Value<'_>>,
    ) -> Result<PortSet, Error> {
        let ports = match ports {
            None => Ports::One(PortRange::ALL),
            Some(value) => match Ports::parse(self.text(value, "`ports`")?) {
                Ok(ports) => ports,
                Err(error) => {
                    self.void = Some(error.to_string());
                    return Ok(PortSet::default());
                }
            },
        };
        if let Some(value) = protocol {
            return Ok(match Protocol::parse(self.text(value, "`proto`")?) {
                Ok(named) => PortSet::just(&[named], &ports),
                Err(error) => {
                    self.void = Some(error.to_string());
                    PortSet::default()
                }
            });
        }
        let is_meant = |protocol: &Protocol| match verb {
            Verb::Always => *protocol == Protocol::TCP,
            _ => ports.is_all() && *protocol != Protocol::ICMPV6 || protocol.has_ports(),
        };
        let all: Vec<Protocol> = (1..=u8::MAX).map(Protocol).filter(is_meant).collect();
        Ok(PortSet::just(&all, &ports))
    }

    /// Whether `paths` is there; it is true or left out.
    fn is_true(&self, value: Option<Value<'_>>) -> Result<bool, Error> {
        match value {
            Some(value) if value.raw() != "true" => {
                Err(self.fail(value.span(), "`paths` is true, or left out"))
            }
            value => Ok(value.is_some()),
        }
    }

    /// A name, or a list of names.
    fn names(&self, value: Value<'_>, what: &str) -> Result<Vec<String>, Error> {
        let what = joined(&["`", what, "`"]);
        if value.kind() != Kind::Array {
            return Ok(vec![self.text(value, &what)?.to_owned()]);
        }
        let mut names = Vec::new();
        for element in value.elements() {
            names.push(self.text(element, &what)?.to_owned());
        }
        match names.is_empty() {
            true => Err(self.fail(value.span(), &joined(&[&what, " is empty"]))),
            false => Ok(names),
        }
    }

    fn text<'t>(&self, value: Value<'t>, what: &str) -> Result<&'t str, Error> {
        let text = value.as_str();
        text.ok_or_else(|| self.fail(value.span(), &joined(&[what, " is a text"])))
    }
}

/// Whether logins can be as this account. The service takes `autogroup:nobody` for the name of one, which nobody means.
fn is_account(name: &str) -> bool {
    match Account::parse(name) {
        None => false,
        Some(Account::Named(name)) => {
            !name.starts_with("autogroup:") && !name.starts_with("localpart:")
        }
        Some(_) => true,
    }
}
