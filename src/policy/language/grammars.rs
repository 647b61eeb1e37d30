//! The grammar of each dialect: where a document begins, and what a key of it is for. Must not live here: keys (`grammar`,
//! `headscale::grammar`).

use super::dialect::Dialect;
use super::grammar::{self, Content, KeySpec, Object};
use super::headscale::grammar as headscale;

impl Object {
    /// The document in a dialect.
    pub const fn document(dialect: Dialect) -> &'static Object {
        match dialect {
            Dialect::Tailscale => &grammar::DOCUMENT,
            Dialect::Headscale => &headscale::DOCUMENT,
        }
    }

    /// The approvers in a dialect.
    pub const fn approvers(dialect: Dialect) -> &'static Object {
        match dialect {
            Dialect::Tailscale => &grammar::APPROVERS,
            Dialect::Headscale => &headscale::APPROVERS,
        }
    }

    /// What a key of it is for, in a sentence: that of the service's key of the same name, where the dialect says nothing of its own.
    pub fn doc(&self, key: &KeySpec) -> &'static str {
        let Some(twin) = self.twin else {
            return self.own_doc(key);
        };
        match headscale::doc(self.section, key.name) {
            Some(doc) => doc,
            None => twin.key(key.name).map_or("", |same| twin.own_doc(same)),
        }
    }
}

impl Content {
    /// The contents of a document in a dialect.
    pub const fn document(dialect: Dialect) -> Content {
        Content::Object(Object::document(dialect))
    }
}
