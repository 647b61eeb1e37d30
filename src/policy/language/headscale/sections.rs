//! From the HuJSON tree to the typed policy: the rules, tests and attributes of Headscale's language.
//! Must not live here: sections of named entries (`tables`), whether what was read makes sense.

use crate::hujson::{Kind, Span, Value};
use crate::policy::findings::words::{self, filled};
use crate::policy::language::document::{
    AclProtocol, AclRule, Capability, Grant, IpEntry, NodeAttr, Policy, SshRule, SshTest, Test,
    Word,
};
use crate::policy::language::duration::Period;
use crate::policy::language::grammar::Key;
use crate::policy::language::login::SshAction;
use crate::policy::language::ports::{PortError, PortSpec, ProtocolError};
use crate::policy::language::selector::{self, Destination, Selector, trimmed};
use crate::tables::apart::Apart;

use super::decode::{Decoder, go_type};
use super::fields::{ACL, DOCUMENT, GRANT, NODE_ATTR, SSH, SSH_TEST, TEST};
use super::ports;
use super::selectors::{host_fault, is_tag, kind_of, no_alias, no_tag};

/// [`read`], which a wasm file may lack.
pub(in crate::policy::language) static HEADSCALE_READER: Apart<
    for<'t> fn(&mut Policy<'t>, Option<Span>),
> = Apart::new(read);

/// Reads a document into an empty policy; rules and tests alone that touch a part of the text, if one is given.
#[inline(never)]
fn read<'t>(policy: &mut Policy<'t>, part: Option<Span>) {
    let document = policy.document;
    let mut decoder = Decoder::new(document.text(), part);
    decoder.surrogates(document);
    decoder.fields(
        document.root(),
        &DOCUMENT,
        &mut |decoder, key, value| match key {
            Key::Acls => policy.acls = decoder.rules(value, "[]v2.ACL", acl),
            Key::Grants => policy.grants = decoder.rules(value, "[]v2.Grant", grant),
            Key::Ssh => policy.ssh = decoder.rules(value, "[]v2.SSH", ssh).unwrap_or_default(),
            Key::Tests => {
                let tests = decoder.rules(value, "[]v2.PolicyTest", test);
                policy.tests = tests.unwrap_or_default();
            }
            Key::SshTests => {
                let tests = decoder.rules(value, "[]v2.SSHPolicyTest", ssh_test);
                policy.ssh_tests = tests.unwrap_or_default();
            }
            Key::NodeAttrs => {
                let read = |decoder: &mut _, value| Some(node_attr(decoder, value));
                policy.node_attrs = decoder.list(value, "[]v2.NodeAttrGrant", read);
            }
            Key::Groups => policy.groups = decoder.groups(value),
            Key::Hosts => policy.hosts = decoder.hosts(value),
            Key::TagOwners => policy.tag_owners = decoder.tag_owners(value),
            Key::AutoApprovers => policy.auto_approvers = decoder.auto_approvers(value),
            _ => {
                decoder.want(value, Kind::Bool, "bool");
                policy.randomizes_ports = value.as_bool() == Some(true);
            }
        },
    );
    decoder.finish(policy);
}

/// A value as a refusal shows it: the text of a string, else what is written.
fn shown<'t>(value: Value<'t>) -> &'t str {
    value.as_str().unwrap_or(value.raw())
}

fn acl<'t>(decoder: &mut Decoder<'t>, value: Value<'t>) -> AclRule<'t> {
    let span = value.span();
    // A rule without an action accepts too.
    let text = "accept";
    let mut rule = AclRule {
        span,
        action: Some(Word { text, span }),
        ..AclRule::default()
    };
    decoder.fields(value, &ACL, &mut |decoder, key, value| match key {
        Key::Action => {
            let (text, span) = (shown(value), value.span());
            rule.action = Some(Word { text, span });
            if value.as_str() != Some("accept") {
                let cause = filled("action=%q is not supported: invalid ACL action", &[text]);
                decoder.misfit("invalid_action", value, "v2.Action", &cause);
            }
        }
        Key::Src => rule.sources = aliases(decoder, value),
        Key::Dst => rule.destinations = destinations(decoder, value),
        _ => rule.protocol = protocol(decoder, value),
    });
    rule
}

fn protocol<'t>(decoder: &mut Decoder<'t>, value: Value<'t>) -> Option<AclProtocol<'t>> {
    let (text, span) = (shown(value), value.span());
    let is_text = matches!(value.kind(), Kind::String | Kind::Number);
    let read = match is_text && text.is_empty() {
        true => return None,
        false => ports::protocol(text),
    };
    let word = Word { text, span };
    let protocol = match read {
        Ok((protocol, _)) => Ok(protocol),
        Err(cause) => {
            decoder.misfit("unknown_protocol", value, "v2.Protocol", &cause);
            Err(ProtocolError(text.into()))
        }
    };
    Some(AclProtocol { word, protocol })
}

/// A list of selectors; blanks around each do not count.
fn aliases<'t>(decoder: &mut Decoder<'t>, value: Value<'t>) -> Vec<Selector<'t>> {
    decoder.list(value, "[]v2.AliasEnc", |decoder, element| {
        let text = trimmed(decoder.text(element, "string")?);
        match kind_of(text) {
            None => decoder.misfit("invalid_source", element, "v2.AliasEnc", &no_alias(text)),
            Some(selector::Kind::Tag) if !is_tag(text) => no_letter(decoder, element),
            Some(_) => {}
        }
        Some(decoder.selector(text, element.span()))
    })
}

/// A tag that is none: the refusal names the index in its list.
fn no_letter(decoder: &mut Decoder<'_>, element: Value<'_>) {
    let words = no_tag(decoder.last());
    decoder.whole("invalid_tag", element.span(), &words);
}

fn unsupported(kind: Kind) -> String {
    filled("type not supported: %s", &[go_type(kind)])
}

fn destinations<'t>(decoder: &mut Decoder<'t>, value: Value<'t>) -> Vec<Destination<'t>> {
    const GO: &str = "v2.AliasWithPorts";
    decoder.list(value, "[]v2.AliasWithPorts", |decoder, element| {
        let Some(text) = element.as_str() else {
            let cause = unsupported(element.kind());
            decoder.misfit("wrong_type", element, GO, &cause);
            return None;
        };
        match ports::destination(text) {
            Err(cause) => decoder.misfit("invalid_port", element, GO, &cause),
            Ok((host, _)) => match host_fault(host) {
                Some(cause) => decoder.misfit("invalid_destination", element, GO, &cause),
                None if kind_of(host) == Some(selector::Kind::Tag) && !is_tag(host) => {
                    no_letter(decoder, element);
                }
                None => {}
            },
        }
        Some(decoder.destination(text, element.span()))
    })
}

fn grant<'t>(decoder: &mut Decoder<'t>, value: Value<'t>) -> Grant<'t> {
    let mut grant = Grant {
        span: value.span(),
        ..Grant::default()
    };
    decoder.fields(value, &GRANT, &mut |decoder, key, value| match key {
        Key::Src => grant.sources = aliases(decoder, value),
        Key::Dst => grant.destinations = aliases(decoder, value),
        Key::Ip => grant.ip = ip_entries(decoder, value),
        Key::App => grant.app = capabilities(decoder, value),
        _ => grant.via = via(decoder, value),
    });
    grant
}

fn ip_entries<'t>(decoder: &mut Decoder<'t>, value: Value<'t>) -> Vec<IpEntry<'t>> {
    const GO: &str = "v2.ProtocolPort";
    decoder.list(value, "[]v2.ProtocolPort", |decoder, element| {
        let Some(text) = element.as_str() else {
            let cause = unsupported(element.kind());
            decoder.misfit("wrong_type", element, GO, &cause);
            return None;
        };
        let spec = match ports::ip_entry(text) {
            Ok((protocol, ports)) => Ok(PortSpec { protocol, ports }),
            Err(cause) => {
                decoder.misfit("invalid_port", element, GO, &cause);
                Err(PortError::Empty)
            }
        };
        let span = element.span();
        let word = Word { text, span };
        Some(IpEntry { word, spec })
    })
}

fn capabilities<'t>(decoder: &mut Decoder<'t>, value: Value<'t>) -> Vec<Capability<'t>> {
    let mut app = Vec::new();
    if !decoder.want(value, Kind::Object, "tailcfg.PeerCapMap") {
        return app;
    }
    for member in value.members() {
        let text = member.name.as_str().unwrap_or_default();
        let span = member.name.span();
        let outside = decoder.enter(text);
        decoder.want(member.value, Kind::Array, "[]tailcfg.RawMessage");
        decoder.leave(outside);
        let name = Word { text, span };
        let values = member.value;
        app.push(Capability { name, values });
    }
    app
}

fn via<'t>(decoder: &mut Decoder<'t>, value: Value<'t>) -> Vec<Selector<'t>> {
    decoder.list(value, "[]v2.Tag", |decoder, element| {
        let text = element.as_str().unwrap_or_default();
        if !is_tag(text) {
            decoder.whole("invalid_via", element.span(), "via can only be a tag");
        }
        Some(decoder.selector(text, element.span()))
    })
}

fn ssh<'t>(decoder: &mut Decoder<'t>, value: Value<'t>) -> SshRule<'t> {
    let mut rule = SshRule {
        span: value.span(),
        ..SshRule::default()
    };
    decoder.fields(value, &SSH, &mut |decoder, key, value| match key {
        Key::Action => {
            let text = trimmed(shown(value));
            let is_fine = match value.as_str() {
                Some(_) => text.is_empty() || SshAction::parse(text).is_some(),
                None => false,
            };
            if !is_fine {
                let cause = filled("%q is not a valid action", &[text]);
                decoder.misfit("invalid_action", value, "v2.SSHAction", &cause);
            }
            let span = value.span();
            rule.action = Some(Word { text, span }).filter(|word| !word.text.is_empty());
        }
        Key::Src => {
            rule.sources = aliases(decoder, value);
            limited(decoder, value, &rule.sources, "v2.SSHSrcAliases");
        }
        Key::Dst => {
            rule.destinations = aliases(decoder, value);
            limited(decoder, value, &rule.destinations, "v2.SSHDstAliases");
        }
        Key::Users => rule.users = decoder.words(value, ("v2.SSHUsers", "string")),
        Key::AcceptEnv => rule.accept_env = decoder.words(value, ("[]string", "string")),
        _ => rule.check_period = check_period(decoder, value),
    });
    rule
}

/// Notes the first selector of an ssh rule that may not stand in this list.
#[inline(never)]
fn limited(decoder: &mut Decoder<'_>, value: Value<'_>, list: &[Selector<'_>], go: &str) {
    use selector::Kind::{Address, Any, Group, Host, Prefix};
    const WILDCARD: &str = "wildcard (*) is not supported as SSH destination; use 'autogroup:member' for user-owned devices, \
                            'autogroup:tagged' for tagged devices, or specific tags/users";
    const SOURCE: &str = "alias not supported for SSH source: %s";
    const DESTINATION: &str = "alias not supported for SSH destination: %s";
    let is_source = go == "v2.SSHSrcAliases";
    let words = if is_source { SOURCE } else { DESTINATION };
    for selector in list {
        let (words, name) = match selector.kind {
            Any if !is_source => (WILDCARD, ""),
            Any => (words, "v2.Asterix"),
            Host if is_source => (words, "*v2.Host"),
            Group if !is_source => (words, "*v2.Group"),
            Address | Prefix => (words, "*v2.Prefix"),
            _ => continue,
        };
        return decoder.misfit("invalid_source", value, go, &filled(words, &[name]));
    }
}

fn check_period<'t>(decoder: &mut Decoder<'t>, value: Value<'t>) -> Option<Word<'t>> {
    let (text, span) = (shown(value), value.span());
    if value.kind() == Kind::Null {
        return None;
    }
    if let Err(fault) = Period::parse(text) {
        let cause = words::shown(&fault);
        decoder.misfit("invalid_check_period", value, "v2.SSHCheckPeriod", &cause);
    }
    Some(Word { text, span })
}

fn node_attr<'t>(decoder: &mut Decoder<'t>, value: Value<'t>) -> NodeAttr<'t> {
    const NAME: (&str, &str) = ("[]tailcfg.NodeCapability", "tailcfg.NodeCapability");
    let mut entry = NodeAttr {
        span: value.span(),
        ..NodeAttr::default()
    };
    decoder.fields(value, &NODE_ATTR, &mut |decoder, key, value| match key {
        Key::Target => entry.targets = aliases(decoder, value),
        Key::Attr => entry.attributes = decoder.words(value, NAME),
        _ => entry.ip_pools = decoder.pools(value),
    });
    entry
}

fn test<'t>(decoder: &mut Decoder<'t>, value: Value<'t>) -> Test<'t> {
    let mut test = Test {
        span: value.span(),
        ..Test::default()
    };
    decoder.fields(value, &TEST, &mut |decoder, key, value| match key {
        Key::Src => test.source = source(decoder, value),
        Key::Accept => test.accept = tested(decoder, value),
        Key::Deny => test.deny = tested(decoder, value),
        _ => test.protocol = protocol(decoder, value),
    });
    test
}

fn source<'t>(decoder: &mut Decoder<'t>, value: Value<'t>) -> Option<Selector<'t>> {
    let text = decoder.text(value, "string")?;
    Some(decoder.selector(text, value.span()))
}

fn tested<'t>(decoder: &mut Decoder<'t>, value: Value<'t>) -> Vec<Destination<'t>> {
    decoder.list(value, "[]string", |decoder, element| {
        let text = decoder.text(element, "string")?;
        Some(decoder.destination(text, element.span()))
    })
}

fn ssh_test<'t>(decoder: &mut Decoder<'t>, value: Value<'t>) -> SshTest<'t> {
    const ACCOUNT: (&str, &str) = ("[]v2.SSHUser", "string");
    let mut test = SshTest {
        span: value.span(),
        ..SshTest::default()
    };
    decoder.fields(value, &SSH_TEST, &mut |decoder, key, value| match key {
        Key::Src => test.source = source(decoder, value),
        Key::Dst => test.destinations = aliases(decoder, value),
        Key::Accept => test.accept = decoder.words(value, ACCOUNT),
        Key::Check => test.check = decoder.words(value, ACCOUNT),
        _ => test.deny = decoder.words(value, ACCOUNT),
    });
    let name = test.source.as_ref().map(|source| trimmed(source.text()));
    if let Some(name) = name.filter(|name| kind_of(name).is_none()) {
        decoder.misfit(
            "invalid_ssh_test",
            value,
            "v2.SSHPolicyTest",
            &no_alias(name),
        );
    }
    test
}
