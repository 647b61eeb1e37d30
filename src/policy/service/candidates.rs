//! The candidates for a place, by its role: names of the document, users and devices of the context, words of the language.
//! Must not live here: keys and whole rules (`complete`), what a document uses (`uses`).

use std::borrow::Cow;

use crate::policy::findings::words::joined;
use crate::policy::language::content::{NameKind, StringRole};
use crate::policy::language::dialect::Dialect;
use crate::policy::language::known::{ATTRIBUTES, OPERATORS, VALUES};
use crate::policy::language::pieces::PieceKind;
use crate::policy::language::port_hints::SERVICES;
use crate::policy::tailnet::context::PolicyContext;

use super::answer::{CompletionItem, CompletionKind, PlainItem};
use super::ranked::{CompletionQuery, Ranked, StringPart};
use super::uses::{Use, Uses};

/// The candidates for one place, with their scores.
pub(super) struct Candidates<'a> {
    uses: &'a Uses<'a>,
    context: &'a PolicyContext,
    dialect: Dialect,
    role: StringRole,
    ranked: Ranked<'a>,
}

impl<'a> Candidates<'a> {
    /// The candidates for a part of a string, the likeliest first.
    pub fn of(
        uses: &'a Uses<'a>,
        (context, dialect): (&'a PolicyContext, Dialect),
        asked: &'a CompletionQuery<'a>,
    ) -> Vec<CompletionItem> {
        let mut candidates = Candidates {
            uses,
            context,
            dialect,
            role: asked.role,
            ranked: Ranked::new(uses, asked),
        };
        match asked.part {
            StringPart::Whole => candidates.whole(),
            StringPart::Ports => candidates.ports(""),
            StringPart::Operand => candidates.operands(""),
            StringPart::Operator => candidates.words(&OPERATORS, PlainItem::Operator, 0),
            StringPart::Value(attribute) => candidates.values(attribute),
        }
        candidates.ranked.items()
    }

    fn add(
        &mut self,
        score: i32,
        kind: CompletionKind,
        text: impl Into<Cow<'a, str>>,
        detail: Option<Cow<'a, str>>,
    ) {
        self.ranked.add(score, kind, text.into(), detail);
    }

    fn words(&mut self, words: &[&'a str], kind: PlainItem, score: i32) {
        for &word in words {
            self.add(score, CompletionKind::Plain(kind), word, None);
        }
    }

    fn whole(&mut self) {
        use StringRole::*;
        match self.role {
            Definition(kind) => self.undefined(kind),
            Member => self.users(10),
            Owner | Approver => {
                self.names(&[NameKind::Group, NameKind::Tag], 6);
                self.users(6);
                if self.dialect.lets_autogroups_own() {
                    self.autogroups(&["member", "admin", "owner", "it-admin", "network-admin"]);
                }
            }
            Source | Destination | DestinationPorts | Target => self.anything(),
            SshSource | SshTestSource | TestSource => {
                self.names(&[NameKind::Group, NameKind::Tag], 6);
                self.users(6);
                if self.role == SshSource {
                    self.autogroups(&["member", "tagged", "admin", "owner"]);
                } else {
                    self.names(&[NameKind::Host], 4);
                }
                if self.role == TestSource {
                    self.devices(1);
                }
            }
            SshDestination => {
                self.names(&[NameKind::Tag], 8);
                self.autogroups(&["self", "member", "tagged"]);
                self.users(2);
            }
            SshTestDestination => {
                self.names(&[NameKind::Tag, NameKind::Host], 8);
                self.users(4);
            }
            TestDestination => {
                self.names(&[NameKind::Tag, NameKind::Host, NameKind::Group], 8);
                self.users(4);
                self.devices(1);
                self.names(&[NameKind::Service], 1);
            }
            Via | Recorder | Connector => self.names(&[NameKind::Tag], 8),
            Posture => self.names(&[NameKind::Posture], 8),
            Service => self.names(&[NameKind::Service], 8),
            Operation => {
                self.operands("add ");
                self.operands("remove ");
            }
            HostAddress | Route | Pool => self.addresses(),
            Ip => self.ports("tcp:"),
            _ => self.language(),
        }
        self.as_before();
    }

    /// Words of the language.
    fn language(&mut self) {
        use PlainItem::*;
        match self.role {
            StringRole::AclAction => self.words(&["accept"], Value, 1),
            StringRole::SshAction => self.words(&["accept", "check"], Value, 1),
            StringRole::Protocol => {
                self.words(&["tcp", "udp", "icmp", "sctp"], Protocol, 1);
                for &(name, number) in self.dialect.protocols() {
                    let number = Some(number.to_string().into());
                    self.add(0, CompletionKind::Plain(Protocol), name, number);
                }
            }
            StringRole::TestProtocol => self.words(&["tcp", "udp", "sctp", "icmp"], Protocol, 1),
            StringRole::Capability => self.words(self.dialect.capabilities(), Capability, 1),
            StringRole::SshUser => {
                self.words(&["autogroup:nonroot"], Autogroup, 2);
                self.words(&["root"], Value, 2);
                for domain in self.domains() {
                    let own = joined(&["localpart:*@", &domain]);
                    self.add(1, CompletionKind::Plain(Value), own, None);
                }
            }
            StringRole::Account => self.words(&["root"], Value, 1),
            StringRole::CheckPeriod => {
                self.words(&["12h", "1h", "24h", "168h", "always"], Value, 1)
            }
            StringRole::NodeAttribute => self.words(self.dialect.node_attributes(), Attribute, 1),
            StringRole::Attribute | StringRole::Condition => self.words(&ATTRIBUTES, Attribute, 1),
            StringRole::AttributeType => self.words(&["string", "number"], Value, 1),
            StringRole::CgnatRoute => self.words(&["mac-always", "mac-never"], Value, 1),
            StringRole::Flag => self.words(&["true", "false"], Value, 1),
            _ => {}
        }
    }

    /// The texts with this role elsewhere in the document.
    fn as_before(&mut self) {
        let uses = self.uses;
        for found in &uses.texts {
            if found.own > 0 && found.kind != PieceKind::Port {
                self.add(0, found.kind.into(), found.text, None);
            }
        }
    }

    /// Names that are used and not defined, and tags of devices.
    fn undefined(&mut self, kind: NameKind) {
        let uses = self.uses;
        for name in uses.names(kind).filter(|name| !name.is_defined) {
            self.add(10, CompletionKind::Name(kind), name.text, None);
        }
        if kind == NameKind::Tag {
            let context = self.context;
            let devices = context.devices.iter().flatten();
            for tag in devices.flat_map(|device| device.tags()) {
                if !uses.get(tag).is_some_and(|known| known.is_defined) {
                    self.add(5, CompletionKind::Name(kind), tag, None);
                }
            }
        }
        if kind == NameKind::Host {
            let context = self.context;
            for device in context.devices.iter().flatten() {
                let name = device.name.as_deref().or(device.hostname.as_deref());
                let label = name
                    .and_then(|name| name.split('.').next())
                    .unwrap_or_default();
                if !uses.get(label).is_some_and(|known| known.is_defined) {
                    self.add(1, CompletionKind::Name(kind), label, None);
                }
            }
        }
        self.words(&[kind.prefix()], PlainItem::Value, 0);
    }

    fn anything(&mut self) {
        let is_source = self.role == StringRole::Source;
        let [named, users] = if is_source { [6, 7] } else { [8, 2] };
        self.names(&[NameKind::Tag], named);
        self.names(&[NameKind::Group], if is_source { 8 } else { 2 });
        self.users(users);
        // Not the first, but always near the top: most first rules have it.
        self.words(&["*"], PlainItem::Address, 24);
        match self.role {
            StringRole::Source => self.autogroups(&[
                "member",
                "tagged",
                "admin",
                "owner",
                "it-admin",
                "network-admin",
                "billing-admin",
                "auditor",
                "shared",
                "danger-all",
            ]),
            StringRole::Target => self.autogroups(&["member", "tagged", "admin", "owner"]),
            _ => {
                self.autogroups(&["self", "internet", "member", "tagged", "admin", "owner"]);
                self.names(&[NameKind::Service], 3);
            }
        }
        self.names(&[NameKind::Host, NameKind::IpSet], 4);
        self.devices(1);
        self.routes(0);
        self.written(0);
    }

    /// The addresses in the document.
    fn written(&mut self, score: i32) {
        let uses = self.uses;
        let is_address = |found: &&Use<'_>| found.kind == PieceKind::Address;
        for found in uses.texts.iter().filter(is_address) {
            let kind = CompletionKind::Plain(PlainItem::Address);
            self.add(score, kind, found.text, None);
        }
    }

    fn names(&mut self, kinds: &[NameKind], score: i32) {
        let uses = self.uses;
        for kind in kinds {
            for name in uses.names(*kind) {
                let score = if name.is_defined { score } else { 0 };
                self.add(score, CompletionKind::Name(*kind), name.text, None);
            }
        }
        let context = self.context;
        if kinds.contains(&NameKind::Tag) {
            let devices = context.devices.iter().flatten();
            for tag in devices.flat_map(|device| device.tags()) {
                self.add(1, CompletionKind::Name(NameKind::Tag), tag, None);
            }
        }
    }

    fn users(&mut self, score: i32) {
        let (uses, context) = (self.uses, self.context);
        let users = context.users.iter().flatten();
        for user in users {
            let kind = CompletionKind::Plain(PlainItem::User);
            self.add(
                score,
                kind,
                user.written(),
                user.role.as_ref().map(Cow::from),
            );
        }
        let devices = context.devices.iter().flatten();
        for login in devices.filter_map(|device| device.user()) {
            self.add(score, CompletionKind::Plain(PlainItem::User), login, None);
        }
        let is_user = |found: &&Use<'_>| found.kind == PieceKind::User;
        for user in uses.texts.iter().filter(is_user) {
            self.add(
                score,
                CompletionKind::Plain(PlainItem::User),
                user.text,
                None,
            );
        }
        let takes_domains = matches!(
            self.role,
            StringRole::Source
                | StringRole::Destination
                | StringRole::DestinationPorts
                | StringRole::Owner
                | StringRole::SshSource
        );
        if takes_domains && self.dialect.names_domains() {
            for domain in self.domains() {
                let all = joined(&["user:*@", &domain]);
                self.add(0, CompletionKind::Plain(PlainItem::User), all, None);
            }
        }
    }

    /// The mail domains of the tailnet; without a context those of the logins.
    fn domains(&self) -> Vec<String> {
        if let Some(domains) = &self.context.domains {
            return domains.clone();
        }
        let logins = self.uses.texts.iter();
        let logins = logins.filter(|found| found.kind == PieceKind::User);
        let mut domains: Vec<String> = Vec::new();
        for (_, domain) in logins.filter_map(|found| found.text.rsplit_once('@')) {
            if !domains.iter().any(|known| known == domain) {
                domains.push(domain.to_owned());
            }
        }
        domains
    }

    fn autogroups(&mut self, names: &[&str]) {
        for (at, name) in names.iter().enumerate() {
            let whole = joined(&["autogroup:", name]);
            // Offers only autogroups of the language.
            if self.dialect.autogroups().contains(&whole.as_str()) {
                let score = 6 - i32::try_from(at).unwrap_or_default();
                self.add(
                    score,
                    CompletionKind::Plain(PlainItem::Autogroup),
                    whole,
                    None,
                );
            }
        }
    }

    /// Devices by their addresses.
    fn devices(&mut self, score: i32) {
        let context = self.context;
        for device in context.devices.iter().flatten() {
            let name = device.name.as_ref().or(device.hostname.as_ref());
            for address in &device.addresses {
                let address = address.to_string();
                let kind = CompletionKind::Plain(PlainItem::Device);
                self.add(score, kind, address, name.map(Cow::from));
            }
        }
    }

    /// The routes of devices.
    fn routes(&mut self, score: i32) {
        let context = self.context;
        for device in context.devices.iter().flatten() {
            let kind = CompletionKind::Plain(PlainItem::Address);
            for route in device.advertised.iter().chain(&device.routes) {
                self.add(
                    score,
                    kind,
                    route.to_string(),
                    device.name.as_ref().map(Cow::from),
                );
            }
        }
    }

    fn addresses(&mut self) {
        if self.role != StringRole::Pool {
            self.routes(6);
        }
        if self.role == StringRole::HostAddress {
            self.devices(5);
        }
        self.written(4);
        match self.role {
            StringRole::Route => self.words(
                &[
                    "10.0.0.0/8",
                    "192.168.0.0/16",
                    "172.16.0.0/12",
                    "0.0.0.0/0",
                    "::/0",
                ],
                PlainItem::Address,
                2,
            ),
            StringRole::Pool => self.words(&["100.64.0.0/16"], PlainItem::Address, 1),
            _ => {}
        }
    }

    /// Ports by name, and ports as the document writes them.
    fn ports(&mut self, protocol: &str) {
        let port = CompletionKind::Plain(PlainItem::Port);
        self.add(12, port, "*", Some("every port".into()));
        let uses = self.uses;
        for found in uses
            .texts
            .iter()
            .filter(|found| found.kind == PieceKind::Port)
        {
            for entry in found.text.split(',') {
                self.add(0, port, entry, service(entry));
            }
        }
        const FIRST: [&str; 4] = ["443", "22", "80", "53"];
        for number in FIRST {
            self.add(6, port, number, service(number));
        }
        for (name, number) in SERVICES {
            self.add(0, port, number, Some(name.into()));
        }
        if !protocol.is_empty() {
            for number in FIRST {
                self.add(2, port, joined(&[protocol, number]), service(number));
            }
            self.words(&["tcp:*", "udp:*", "icmp:*", "udp:53"], PlainItem::Port, 1);
        }
    }

    fn operands(&mut self, operator: &str) {
        let (uses, kind) = (self.uses, CompletionKind::Plain(PlainItem::Value));
        let score = if operator == "remove " { 0 } else { 5 };
        for host in uses.names(NameKind::Host).filter(|host| host.is_defined) {
            self.add(score, kind, joined(&[operator, "host:", host.text]), None);
        }
        for set in uses.names(NameKind::IpSet) {
            self.add(score, kind, joined(&[operator, set.text]), None);
        }
        self.add(
            score - 1,
            kind,
            joined(&[operator, "autogroup:internet"]),
            None,
        );
        for found in uses
            .texts
            .iter()
            .filter(|found| found.kind == PieceKind::Address)
        {
            self.add(score, kind, joined(&[operator, found.text]), None);
        }
    }

    fn values(&mut self, attribute: &str) {
        let known = VALUES.iter().find(|(name, _)| *name == attribute);
        if let Some((_, values)) = known {
            self.words(values, PlainItem::Value, 0);
        }
    }
}

/// The name of the service at a port.
fn service(port: &str) -> Option<Cow<'static, str>> {
    let found = SERVICES.iter().find(|(_, number)| *number == port);
    found.map(|(name, _)| Cow::from(*name))
}
