//! From the HuJSON tree to the typed policy: sections and rules.
//! Accepts either grammar, either spelling and any case of keys; notes what it cannot read and goes on.
//! Must not live here: whether what was read makes sense.

use crate::hujson::{Document, Span, Value};

use super::dialect::Dialect;
use super::document::{
    AclProtocol, AclRule, AutoApprovers, Capability, Grant, IpEntry, IpSetOperation, NodeAttr,
    Policy, Spelling, SshRule, SshTest, Test, Word,
};
use super::grammar::{ACL, APPROVERS, DOCUMENT, GRANT, Key, NODE_ATTR, SSH, SSH_TEST, TEST};
use super::headscale;
use super::port_hints;
use super::ports::{PortError, PortSpec, Protocol};
use super::reader::Reader;
use super::selector::Selector;
use crate::policy::findings::finding::Finding;
use crate::policy::findings::hint::Message;

impl<'t> Policy<'t> {
    /// Reads a document. Never fails: what cannot be read is in [`Policy::faults`].
    pub fn read(document: &'t Document<'t>) -> Policy<'t> {
        Policy::read_as(document, Dialect::Tailscale)
    }

    /// The same in a dialect.
    pub fn read_as(document: &'t Document<'t>, dialect: Dialect) -> Policy<'t> {
        Policy::read_in(document, dialect, None)
    }

    /// Whether this build has what reads and judges a dialect: a wasm file may be without it, and gives no answers in it then.
    pub fn reads(dialect: Dialect) -> bool {
        match dialect {
            Dialect::Tailscale => true,
            Dialect::Headscale => headscale::HEADSCALE_READER.get().is_some(),
        }
    }

    /// The same with those rules and tests alone that touch a part of the text: what is asked about a place needs no others, and 4,600
    /// of them take longer to read than to parse.
    pub(crate) fn read_part(
        document: &'t Document<'t>,
        dialect: Dialect,
        part: Span,
    ) -> Policy<'t> {
        Policy::read_in(document, dialect, Some(part))
    }

    fn read_in(document: &'t Document<'t>, dialect: Dialect, part: Option<Span>) -> Policy<'t> {
        let mut policy = Policy::empty(document, dialect);
        match dialect {
            Dialect::Tailscale => policy.read_by(Reader::of(document.text(), part)),
            Dialect::Headscale => {
                if let Some(read) = headscale::HEADSCALE_READER.get() {
                    read(&mut policy, part);
                }
            }
        }
        policy
    }

    #[inline(never)]
    fn read_by(&mut self, mut reader: Reader<'t>) {
        let document = self.document;
        let policy = self;
        if !reader.is_document(document.root()) {
            return reader.finish(policy);
        }
        reader.fields(
            document.root(),
            &DOCUMENT,
            &mut |reader, found, value| match found.spec.key {
                Key::Acls => policy.acls = reader.items(value, acl_rule),
                Key::Groups => policy.groups = reader.table(value, Reader::selectors),
                Key::Hosts => policy.hosts = reader.table(value, Reader::selector_or_empty),
                Key::Tests => policy.tests = reader.items(value, test).unwrap_or_default(),
                Key::TagOwners => policy.tag_owners = reader.table(value, Reader::selectors),
                Key::Grants => policy.grants = reader.items(value, grant),
                Key::Ssh => policy.ssh = reader.items(value, ssh_rule).unwrap_or_default(),
                Key::SshTests => {
                    policy.ssh_tests = reader.items(value, ssh_test).unwrap_or_default()
                }
                Key::AutoApprovers => policy.auto_approvers = auto_approvers(reader, value),
                Key::NodeAttrs => {
                    policy.node_attrs = reader.items(value, node_attr).unwrap_or_default()
                }
                Key::Postures => policy.postures = reader.table(value, Reader::words),
                Key::DefaultSrcPosture => policy.default_src_posture = reader.words(value),
                Key::Ipsets => policy.ipsets = reader.table(value, ipset),
                Key::DisableIpv4 | Key::RandomizeClientPort => reader.want_bool(value),
                Key::Option => {
                    reader.object(value);
                }
                _ => {}
            },
        );
        reader.finish(policy);
    }
}

fn acl_rule<'t>(reader: &mut Reader<'t>, value: Value<'t>, rule: &mut AclRule<'t>) {
    rule.span = value.span();
    let (mut old, mut modern) = (false, false);
    reader.fields(value, &ACL, &mut |reader, found, value| {
        old |= found.old;
        modern |= !found.old && matches!(found.spec.key, Key::Src | Key::Dst);
        match found.spec.key {
            Key::Action => rule.action = reader.word(value),
            Key::Src => rule.sources = reader.selectors(value),
            Key::Dst => rule.destinations = reader.destinations(value),
            Key::Proto => rule.protocol = protocol(reader, value),
            Key::SrcPosture => rule.postures = Some(reader.words(value)),
            _ => {}
        }
    });
    rule.spelling = match (old, modern) {
        (true, true) => Spelling::Mixed,
        (true, false) => Spelling::Old,
        (false, _) => Spelling::Modern,
    };
}

fn protocol<'t>(reader: &mut Reader<'t>, value: Value<'t>) -> Option<AclProtocol<'t>> {
    let word = reader.word(value)?;
    if word.name().is_empty() {
        return None;
    }
    let protocol = Protocol::parse(word.name());
    Some(AclProtocol { word, protocol })
}

fn grant<'t>(reader: &mut Reader<'t>, value: Value<'t>, grant: &mut Grant<'t>) {
    grant.span = value.span();
    reader.fields(
        value,
        &GRANT,
        &mut |reader, found, value| match found.spec.key {
            Key::Src => grant.sources = reader.selectors(value),
            Key::Dst => grant.destinations = reader.selectors(value),
            Key::Ip => grant.ip = ip_entries(reader, value),
            Key::App => grant.app = capabilities(reader, value),
            Key::Via => grant.via = reader.selectors(value),
            Key::SrcPosture => grant.postures = Some(reader.words(value)),
            _ => {}
        },
    );
}

/// The service's decoder refuses ports of a grant, hence a fault here and not in validation.
fn ip_entries<'t>(reader: &mut Reader<'t>, value: Value<'t>) -> Vec<IpEntry<'t>> {
    let entries = reader.strings(value, |_, text, span| {
        let word = Word { text, span };
        let spec = PortSpec::parse(word.text);
        IpEntry { word, spec }
    });
    for entry in &entries {
        if let Err(error) = &entry.spec {
            let hint = match error {
                PortError::Protocol(_) => None,
                _ => Some(port_hints::of_grant(entry.word.text)),
            };
            let (text, origin) = (error.to_string(), error.origin());
            let message = Message { text, origin };
            let finding = Finding::error(error.code(), entry.word.span, message);
            reader.fault(finding.hint(hint));
        }
    }
    entries
}

fn capabilities<'t>(reader: &mut Reader<'t>, value: Value<'t>) -> Vec<Capability<'t>> {
    reader.entries(value, |reader, name, values| {
        reader.want_array(values);
        Capability { name, values }
    })
}

fn ssh_rule<'t>(reader: &mut Reader<'t>, value: Value<'t>, rule: &mut SshRule<'t>) {
    rule.span = value.span();
    reader.fields(
        value,
        &SSH,
        &mut |reader, found, value| match found.spec.key {
            // Blanks around this one do not count, unlike in an acl (docs/policy-language.md#blanks-and-case).
            Key::Action => {
                let trimmed = |word: Word<'t>| Word {
                    text: word.name(),
                    ..word
                };
                rule.action = reader.word(value).map(trimmed);
            }
            Key::Src => rule.sources = reader.selectors(value),
            Key::Dst => rule.destinations = reader.selectors(value),
            Key::Users => rule.users = reader.words(value),
            Key::CheckPeriod => rule.check_period = reader.word(value),
            Key::AcceptEnv => rule.accept_env = reader.words(value),
            Key::SrcPosture => rule.postures = Some(reader.words(value)),
            Key::Recorder => rule.recorders = reader.selectors(value),
            Key::EnforceRecorder => {
                reader.want_bool(value);
                rule.enforces_recorder = value.raw() == "true";
            }
            _ => {}
        },
    );
}

fn test<'t>(reader: &mut Reader<'t>, value: Value<'t>, test: &mut Test<'t>) {
    test.span = value.span();
    // One of each pair: `src` beside `allow` is fine, `src` beside `user` is not.
    let (mut sources, mut accepts) = (0, 0);
    reader.fields(value, &TEST, &mut |reader, found, value| {
        if found.old {
            test.spelling = Spelling::Old;
        }
        match found.spec.key {
            Key::Src => {
                sources += 1;
                test.source = reader.selector(value);
            }
            Key::Accept => {
                accepts += 1;
                test.accept = reader.destinations(value);
            }
            Key::Deny => test.deny = reader.destinations(value),
            Key::Proto => test.protocol = protocol(reader, value),
            Key::SrcPostureAttrs => test.posture_attributes = reader.object(value),
            _ => {}
        }
    });
    if sources > 1 || accepts > 1 {
        test.spelling = Spelling::Mixed;
    }
}

fn ssh_test<'t>(reader: &mut Reader<'t>, value: Value<'t>, test: &mut SshTest<'t>) {
    test.span = value.span();
    reader.fields(
        value,
        &SSH_TEST,
        &mut |reader, found, value| match found.spec.key {
            Key::Src => test.source = reader.selector(value),
            Key::Dst => test.destinations = reader.selectors(value),
            Key::Accept => test.accept = reader.words(value),
            Key::Check => test.check = reader.words(value),
            Key::Deny => test.deny = reader.words(value),
            Key::SrcPostureAttrs => test.posture_attributes = reader.object(value),
            _ => {}
        },
    );
}

fn auto_approvers<'t>(reader: &mut Reader<'t>, value: Value<'t>) -> AutoApprovers<'t> {
    let mut approvers = AutoApprovers::default();
    reader.fields(
        value,
        &APPROVERS,
        &mut |reader, found, value| match found.spec.key {
            Key::Routes => approvers.routes = reader.entries(value, approver),
            Key::ExitNode => approvers.exit_node = reader.selectors(value),
            Key::Services => approvers.services = reader.entries(value, approver),
            _ => {}
        },
    );
    approvers
}

fn approver<'t>(
    reader: &mut Reader<'t>,
    name: Word<'t>,
    value: Value<'t>,
) -> (Word<'t>, Vec<Selector<'t>>) {
    (name, reader.selectors(value))
}

fn node_attr<'t>(reader: &mut Reader<'t>, value: Value<'t>, entry: &mut NodeAttr<'t>) {
    entry.span = value.span();
    reader.fields(
        value,
        &NODE_ATTR,
        &mut |reader, found, value| match found.spec.key {
            Key::Target => entry.targets = reader.selectors(value),
            Key::Attr => entry.attributes = reader.words(value),
            Key::App => entry.app = capabilities(reader, value),
            Key::IpPool => entry.ip_pools = reader.words(value),
            _ => {}
        },
    );
}

fn ipset<'t>(reader: &mut Reader<'t>, value: Value<'t>) -> Vec<IpSetOperation<'t>> {
    reader.strings(value, |_, text, span| {
        let word = Word { text, span };
        let (removes, operand) = match word.name().split_once(char::is_whitespace) {
            Some(("add", operand)) => (false, operand),
            Some(("remove", operand)) => (true, operand),
            _ => (false, word.name()),
        };
        let operand = operand.trim();
        let operand = operand.strip_prefix("host:").unwrap_or(operand);
        let operand = Selector::new(operand, word.span);
        IpSetOperation {
            removes,
            operand,
            word,
        }
    })
}
