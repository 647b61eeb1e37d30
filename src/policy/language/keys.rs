//! The keys of the policy language: today's names, older ones, and which object has which.
//! Must not live here: the contents of a key.

use crate::policy::findings::words::{Guesses, joined};

/// A key, by its name today.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Key {
    Acls,
    Groups,
    Hosts,
    Tests,
    TagOwners,
    Grants,
    Ssh,
    SshTests,
    AutoApprovers,
    NodeAttrs,
    Postures,
    DefaultSrcPosture,
    Ipsets,
    AttrConfig,
    DerpMap,
    DisableIpv4,
    OneCgnatRoute,
    RandomizeClientPort,
    Action,
    Src,
    Dst,
    Proto,
    SrcPosture,
    Ip,
    App,
    Via,
    Users,
    CheckPeriod,
    AcceptEnv,
    Recorder,
    EnforceRecorder,
    Accept,
    Deny,
    SrcPostureAttrs,
    Check,
    Routes,
    ExitNode,
    Services,
    Target,
    Attr,
    IpPool,
}

impl Key {
    /// Its name today.
    pub const fn name(self) -> &'static str {
        match self {
            Key::Acls => "acls",
            Key::Groups => "groups",
            Key::Hosts => "hosts",
            Key::Tests => "tests",
            Key::TagOwners => "tagOwners",
            Key::Grants => "grants",
            Key::Ssh => "ssh",
            Key::SshTests => "sshTests",
            Key::AutoApprovers => "autoApprovers",
            Key::NodeAttrs => "nodeAttrs",
            Key::Postures => "postures",
            Key::DefaultSrcPosture => "defaultSrcPosture",
            Key::Ipsets => "ipsets",
            Key::AttrConfig => "attrConfig",
            Key::DerpMap => "derpMap",
            Key::DisableIpv4 => "disableIPv4",
            Key::OneCgnatRoute => "oneCGNATRoute",
            Key::RandomizeClientPort => "randomizeClientPort",
            Key::Action => "action",
            Key::Src => "src",
            Key::Dst => "dst",
            Key::Proto => "proto",
            Key::SrcPosture => "srcPosture",
            Key::Ip => "ip",
            Key::App => "app",
            Key::Via => "via",
            Key::Users => "users",
            Key::CheckPeriod => "checkPeriod",
            Key::AcceptEnv => "acceptEnv",
            Key::Recorder => "recorder",
            Key::EnforceRecorder => "enforceRecorder",
            Key::Accept => "accept",
            Key::Deny => "deny",
            Key::SrcPostureAttrs => "srcPostureAttrs",
            Key::Check => "check",
            Key::Routes => "routes",
            Key::ExitNode => "exitNode",
            Key::Services => "services",
            Key::Target => "target",
            Key::Attr => "attr",
            Key::IpPool => "ipPool",
        }
    }
}

/// The keys an object may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keys {
    /// Those with today's names.
    pub modern: &'static [Key],
    /// Older names of some of them.
    pub old: &'static [(&'static str, Key)],
    /// Keys that belong elsewhere, with what to write here.
    pub strangers: &'static [(&'static str, &'static str)],
}

/// Names that people use for some keys.
const CALLED: [(&str, Key); 14] = [
    ("source", Key::Src),
    ("sources", Key::Src),
    ("from", Key::Src),
    ("users", Key::Src),
    ("destination", Key::Dst),
    ("destinations", Key::Dst),
    ("dest", Key::Dst),
    ("to", Key::Dst),
    ("ports", Key::Dst),
    ("protocol", Key::Proto),
    ("rules", Key::Acls),
    ("aliases", Key::Hosts),
    ("owners", Key::TagOwners),
    ("targets", Key::Target),
];

/// Keys that people try to use for remarks.
const REMARKS: [&str; 8] = [
    "comment",
    "comments",
    "_comment",
    "description",
    "note",
    "notes",
    "//",
    "#",
];

/// A key that was found.
#[derive(Clone, Copy)]
pub(crate) struct Field {
    /// Which it is.
    pub key: Key,
    /// Whether it has its older name.
    pub old: bool,
    /// Whether it is written exactly as today.
    pub exact: bool,
    /// Its index among all names, to find repeats.
    pub at: usize,
}

/// Whether a name is the older grammar's name of this key, and not only today's in another case: all its keys
/// began with a capital letter.
pub(crate) fn is_older(written: &str, modern: &str) -> bool {
    const KNOWN: [Key; 9] = [
        Key::Acls,
        Key::Groups,
        Key::Hosts,
        Key::Tests,
        Key::TagOwners,
        Key::OneCgnatRoute,
        Key::Action,
        Key::Proto,
        Key::Deny,
    ];
    !written.eq_ignore_ascii_case(modern) || KNOWN.iter().any(|key| key.name() == modern)
}

impl Keys {
    const fn modern(modern: &'static [Key]) -> Keys {
        Keys {
            modern,
            old: &[],
            strangers: &[],
        }
    }

    /// The key of a name in any case. `guess` is its index if the document keeps the order of the keys here.
    pub fn find(self, name: &str, guess: usize) -> Option<Field> {
        match self.modern.get(guess) {
            Some(&key) if key.name() == name => Some(Field {
                key,
                old: false,
                exact: true,
                at: guess,
            }),
            _ => self.search(name),
        }
    }

    #[inline(never)]
    fn search(self, name: &str) -> Option<Field> {
        for (at, &key) in self.modern.iter().enumerate() {
            if key.name().eq_ignore_ascii_case(name) {
                let exact = key.name() == name;
                return Some(Field {
                    key,
                    old: false,
                    exact,
                    at,
                });
            }
        }
        for (at, &(old, key)) in self.old.iter().enumerate() {
            if old.eq_ignore_ascii_case(name) {
                let at = self.modern.len() + at;
                return Some(Field {
                    key,
                    old: true,
                    exact: false,
                    at,
                });
            }
        }
        None
    }

    /// What to do about a name that is not one of these.
    pub fn hint(self, name: &str, guesses: &Guesses) -> Option<String> {
        let is_name = |known: &str| known.eq_ignore_ascii_case(name);
        if let Some((_, hint)) = self.strangers.iter().find(|(known, _)| is_name(known)) {
            return Some((*hint).to_owned());
        }
        if REMARKS.into_iter().any(is_name) {
            return Some("write `// …`: comments are not members".to_owned());
        }
        let called = CALLED
            .iter()
            .find(|(known, key)| is_name(known) && self.modern.contains(key));
        match called {
            Some((_, key)) => Some(joined(&["did you mean `", key.name(), "`?"])),
            None => guesses.did_you_mean(name, &mut self.names()),
        }
    }

    fn names(self) -> impl Iterator<Item = &'static str> {
        let old = self.old.iter().map(|(name, _)| *name);
        self.modern.iter().map(|key| key.name()).chain(old)
    }
}

/// Keys of the document. Those without effect on access are accepted and ignored.
pub(crate) const TOP: Keys = Keys::modern(&[
    Key::Acls,
    Key::Groups,
    Key::Hosts,
    Key::Tests,
    Key::TagOwners,
    Key::Grants,
    Key::Ssh,
    Key::SshTests,
    Key::AutoApprovers,
    Key::NodeAttrs,
    Key::Postures,
    Key::DefaultSrcPosture,
    Key::Ipsets,
    Key::AttrConfig,
    Key::DerpMap,
    Key::DisableIpv4,
    Key::OneCgnatRoute,
    Key::RandomizeClientPort,
]);

/// An acl rule, in either grammar.
pub(crate) const ACL: Keys = Keys {
    modern: &[Key::Action, Key::Src, Key::Dst, Key::Proto, Key::SrcPosture],
    old: &[("users", Key::Src), ("ports", Key::Dst)],
    strangers: &[
        (
            "ip",
            "only grants have it: the ports of an acl stand in `dst`, `HOST:PORTS`",
        ),
        ("app", "only grants have it"),
        ("via", "only grants have it"),
    ],
};

/// A grant.
pub(crate) const GRANT: Keys = Keys {
    modern: &[
        Key::Src,
        Key::Dst,
        Key::Ip,
        Key::App,
        Key::Via,
        Key::SrcPosture,
    ],
    old: &[],
    strangers: &[
        ("action", "grants always allow: remove it"),
        ("proto", "put it in `ip`: `\"tcp:22\"`"),
        ("protocol", "put it in `ip`: `\"tcp:22\"`"),
        ("ports", "put them in `ip`: `\"22\"`"),
        ("port", "put it in `ip`: `\"22\"`"),
    ],
};

/// An ssh rule.
pub(crate) const SSH: Keys = Keys::modern(&[
    Key::Action,
    Key::Src,
    Key::Dst,
    Key::Users,
    Key::CheckPeriod,
    Key::AcceptEnv,
    Key::SrcPosture,
    Key::Recorder,
    Key::EnforceRecorder,
]);

/// A test, in either grammar.
pub(crate) const TEST: Keys = Keys {
    modern: &[
        Key::Src,
        Key::Accept,
        Key::Deny,
        Key::Proto,
        Key::SrcPostureAttrs,
    ],
    old: &[("user", Key::Src), ("allow", Key::Accept)],
    strangers: &[(
        "dst",
        "list what it must reach in `accept`, what not in `deny`",
    )],
};

/// An ssh test.
pub(crate) const SSH_TEST: Keys = Keys::modern(&[
    Key::Src,
    Key::Dst,
    Key::Accept,
    Key::Check,
    Key::Deny,
    Key::SrcPostureAttrs,
]);

/// The approvers.
pub(crate) const APPROVERS: Keys = Keys::modern(&[Key::Routes, Key::ExitNode, Key::Services]);

/// An entry of the node attributes.
pub(crate) const NODE_ATTR: Keys = Keys::modern(&[Key::Target, Key::Attr, Key::App, Key::IpPool]);

/// What a value is by its position in the document.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// The top object.
    Document,
    /// A list of rules.
    Rules(&'static str, Keys),
    /// One object with keys of the language: those of the named section.
    Rule(&'static str, Keys),
    /// Anything else: its names and contents are up to the writer.
    Plain,
}

impl Shape {
    /// The key that a name stands for here.
    pub fn key(self, name: &str) -> Option<&'static str> {
        let keys = match self {
            Shape::Document => TOP,
            Shape::Rule(_, keys) => keys,
            Shape::Rules(..) | Shape::Plain => return None,
        };
        keys.find(name, 0).map(|field| field.key.name())
    }

    /// The shape of the member with this key.
    pub fn member(self, key: &str) -> Shape {
        match (self, key) {
            (Shape::Document, "acls") => Shape::Rules("acls", ACL),
            (Shape::Document, "grants") => Shape::Rules("grants", GRANT),
            (Shape::Document, "ssh") => Shape::Rules("ssh", SSH),
            (Shape::Document, "tests") => Shape::Rules("tests", TEST),
            (Shape::Document, "sshTests") => Shape::Rules("sshTests", SSH_TEST),
            (Shape::Document, "nodeAttrs") => Shape::Rules("nodeAttrs", NODE_ATTR),
            (Shape::Document, "autoApprovers") => Shape::Rule("autoApprovers", APPROVERS),
            _ => Shape::Plain,
        }
    }

    /// The shape of each element.
    pub fn element(self) -> Shape {
        match self {
            Shape::Rules(section, keys) => Shape::Rule(section, keys),
            _ => Shape::Plain,
        }
    }
}

/// An object inside a network option, or of an application that the service knows: with keys of the language, which the
/// reader ignores, and others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Inner {
    /// The declaration of a custom attribute.
    Attribute,
    /// The map of custom relays.
    Relays,
    /// A region of them.
    Region,
    /// A relay.
    Relay,
    /// An app connector.
    Connector,
}

impl Inner {
    /// Its keys (docs/policy-language.md#document).
    pub const fn keys(self) -> &'static [&'static str] {
        match self {
            Inner::Attribute => &["type", "allowSetByNode", "broadcastToPeers"],
            Inner::Relays => &["OmitDefaultRegions", "Regions"],
            Inner::Region => &["RegionID", "RegionCode", "RegionName", "Nodes"],
            Inner::Relay => &[
                "Name", "RegionID", "HostName", "IPv4", "IPv6", "DERPPort", "STUNPort", "STUNOnly",
                "CertName",
            ],
            Inner::Connector => &["name", "connectors", "domains", "routes"],
        }
    }

    /// The key of a name in any case.
    pub fn key(self, name: &str) -> Option<&'static str> {
        let mut keys = self.keys().iter().copied();
        keys.find(|key| key.eq_ignore_ascii_case(name))
    }
}
