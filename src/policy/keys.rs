//! The keys of the policy language: today's names, older ones, and which object has which.
//! Must not live here: what stands behind a key.

/// The keys an object may have.
#[derive(Clone, Copy)]
pub(super) struct Keys {
    /// Their names today.
    pub modern: &'static [&'static str],
    /// Older names of some, and what they are called today.
    pub old: &'static [(&'static str, &'static str)],
}

/// A key that was found.
#[derive(Clone, Copy)]
pub(super) struct Field {
    /// Its name today.
    pub name: &'static str,
    /// Whether it stands there by its older name.
    pub old: bool,
    /// Its place among all names, for noticing repeats.
    pub at: usize,
}

impl Keys {
    const fn modern(modern: &'static [&'static str]) -> Keys {
        Keys { modern, old: &[] }
    }

    /// The key of a name in any case. `guess` is its place if the writer keeps to the order of the keys here.
    pub fn find(self, name: &str, guess: usize) -> Option<Field> {
        let field = |name, old, at| Field { name, old, at };
        if let Some(key) = self.modern.get(guess)
            && *key == name
        {
            return Some(field(key, false, guess));
        }
        let mut modern = self.modern.iter().enumerate();
        let mut old = self.old.iter().enumerate();
        modern
            .find(|(_, key)| key.eq_ignore_ascii_case(name))
            .map(|(at, key)| field(*key, false, at))
            .or_else(|| {
                let (at, (_, key)) = old.find(|(_, (key, _))| key.eq_ignore_ascii_case(name))?;
                Some(field(*key, true, self.modern.len() + at))
            })
    }

    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let old = self.old.iter().map(|(name, _)| *name);
        self.modern.iter().copied().chain(old)
    }
}

/// Keys of the document. The ones without effect on access are taken and left alone.
/// Keys of the objects of this section.
pub(super) const TOP: Keys = Keys::modern(&[
    "acls",
    "groups",
    "hosts",
    "tests",
    "tagOwners",
    "grants",
    "ssh",
    "sshTests",
    "autoApprovers",
    "nodeAttrs",
    "postures",
    "defaultSrcPosture",
    "ipsets",
    "attrConfig",
    "derpMap",
    "disableIPv4",
    "oneCGNATRoute",
    "randomizeClientPort",
]);

/// An acl rule, in either grammar.
pub(super) const ACL: Keys = Keys {
    modern: &["action", "src", "dst", "proto", "srcPosture"],
    old: &[("users", "src"), ("ports", "dst")],
};

/// A grant.
pub(super) const GRANT: Keys = Keys::modern(&["src", "dst", "ip", "app", "via", "srcPosture"]);

/// An ssh rule.
pub(super) const SSH: Keys = Keys::modern(&[
    "action",
    "src",
    "dst",
    "users",
    "checkPeriod",
    "acceptEnv",
    "srcPosture",
    "recorder",
    "enforceRecorder",
]);

/// A test, in either grammar.
pub(super) const TEST: Keys = Keys {
    modern: &["src", "accept", "deny", "proto", "srcPostureAttrs"],
    old: &[("user", "src"), ("allow", "accept")],
};

/// An ssh test.
pub(super) const SSH_TEST: Keys =
    Keys::modern(&["src", "dst", "accept", "check", "deny", "srcPostureAttrs"]);

/// The approvers.
pub(super) const APPROVERS: Keys = Keys::modern(&["routes", "exitNode", "services"]);

/// An entry of the node attributes.
pub(super) const NODE_ATTR: Keys = Keys::modern(&["target", "attr", "app", "ipPool"]);

/// What a value is by its place in the document.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    /// The top object.
    Document,
    /// A list of rules.
    Rules(&'static str, Keys),
    /// One object with keys of the language; of the section named.
    Rule(&'static str, Keys),
    /// Anything else: names and contents are the writer's.
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
        keys.find(name, 0).map(|field| field.name)
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
