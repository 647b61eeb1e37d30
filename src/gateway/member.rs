//! What belongs to a tailnet although its path does not name one: devices, users and invites to become one, webhooks, posture
//! integrations. The sender looks in the list first. Must not live here: sending, what is let through.

use crate::api::{Operation, PathStyle, Request, Scope, TailnetName, headers, uri};
use crate::hujson;
use crate::tables::find;

use super::denial::Denial;

/// A thing that must belong to the tailnet, and where that can be looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name in the path.
    pub id: String,
    /// The request whose answer lists everything of its kind; its target is a whole URL.
    pub lookup: Request,
    /// The member of that answer that holds the list; empty where the answer is the list.
    pub list: &'static str,
}

/// For how many milliseconds the members of a list are remembered; for reads alone.
const REMEMBERED: u64 = 10_000;

/// The members that an answer lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Members {
    /// Until when they may be used, in milliseconds since 1970.
    until: u64,
    /// Their names, one a line.
    names: String,
}

impl Members {
    /// Those in the answer to the lookup of a list ([`Member::list`]); `None` for what is no such answer. Services leave an empty list out.
    pub fn listed(list: &str, body: &[u8], now: u64) -> Option<Members> {
        let document = hujson::document(str::from_utf8(body).ok()?)?;
        let mut kinds = OTHERS.iter().map(|(_, listing)| listing);
        let named = kinds.find(|listing| listing.list == list);
        let entries = match list {
            "" => Some(document.root()),
            _ => document.root().get(list),
        };
        let mut names = String::new();
        for entry in entries.into_iter().flat_map(|list| list.elements()) {
            let texts = named.unwrap_or(&DEVICES).names.iter();
            let texts = texts.filter_map(|name| entry.get(name)?.as_str());
            // A name with a line break could be read as two.
            for text in texts.filter(|text| !find::has(text, b'\n')) {
                names.push_str(text);
                names.push('\n');
            }
        }
        let until = now.saturating_add(REMEMBERED);
        Some(Members { until, names })
    }

    /// One text, whose first line is the time.
    pub fn to_text(&self) -> String {
        let mut text = self.until.to_string();
        text.push('\n');
        text.push_str(&self.names);
        text
    }

    /// Reads what [`Members::to_text`] wrote; nobody is among the members of any other text.
    pub fn of_text(text: &str) -> Members {
        let (until, names) = find::split_once(text, "\n").unwrap_or_default();
        Members {
            until: until.parse().unwrap_or_default(),
            names: names.to_owned(),
        }
    }

    /// Whether the one with this name is among them, and they may still be used.
    pub fn have(&self, name: &str, now: u64) -> bool {
        let is_in = find::split(&self.names, b'\n').any(|known| known == name);
        is_in && now < self.until && !name.is_empty()
    }
}

/// Where things of a kind are listed.
struct Listing {
    operation: Operation,
    /// A query without which the service leaves some out.
    query: &'static [(&'static str, &'static str)],
    list: &'static str,
    /// The members of an entry that may be its name in a path.
    names: &'static [&'static str],
}

const DEVICES: Listing = Listing {
    operation: Operation::ListDevices,
    query: &[],
    list: "devices",
    names: &["id", "nodeId"],
};

/// By the namespace of the operations.
const OTHERS: [(&str, Listing); 4] = [
    (
        "users.",
        Listing {
            operation: Operation::ListUsers,
            query: &[("type", "all")],
            list: "users",
            names: &["id"],
        },
    ),
    (
        "userInvites.",
        Listing {
            operation: Operation::ListUserInvites,
            query: &[],
            list: "",
            names: &["id"],
        },
    ),
    (
        "webhooks.",
        Listing {
            operation: Operation::ListWebhooks,
            query: &[],
            list: "webhooks",
            names: &["endpointId"],
        },
    ),
    (
        "postureIntegrations.",
        Listing {
            operation: Operation::ListPostureIntegrations,
            query: &[],
            list: "integrations",
            names: &["id"],
        },
    ),
];

/// What must be looked up before this operation may reach the service: a device wherever one is named, anything else if the
/// path names no tailnet.
///
/// # Errors
/// Nothing lists it for one tailnet, as with invites to share a device: it passes for no one's.
pub(super) fn of(
    operation: Operation,
    scope: &Scope,
    tailnet: &TailnetName,
    base_url: &str,
) -> Result<Option<Member>, Denial> {
    if let Ok(device) = scope.device() {
        return Ok(Some(DEVICES.member(device.as_str(), tailnet, base_url)));
    }
    if scope.tailnet().is_ok() {
        return Ok(None);
    }
    let item = scope.item().map_err(|_| Denial::UnknownMember)?;
    let mut others = OTHERS.iter();
    let listing = others.find(|(namespace, _)| operation.name().starts_with(namespace));
    let (_, listing) = listing.ok_or(Denial::UnknownMember)?;
    Ok(Some(listing.member(item.as_str(), tailnet, base_url)))
}

impl Listing {
    fn member(&self, id: &str, tailnet: &TailnetName, base_url: &str) -> Member {
        let scope = Scope::from(tailnet.clone());
        let path = self.operation.path(&scope, PathStyle::Tailnet);
        let mut target = format!("{base_url}{path}");
        for (name, value) in self.query {
            uri::push_query(&mut target, name, value);
        }
        let mut lookup = Request::new(self.operation.route().method, target);
        lookup.headers.set(headers::ACCEPT, headers::JSON);
        Member {
            id: id.to_owned(),
            lookup,
            list: self.list,
        }
    }
}
