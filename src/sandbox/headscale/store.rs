//! What the server remembers: users, nodes, keys, the policy, and who waits; and what follows for the nodes. Must not live here: requests.

use serde_json::json;

use crate::api::headscale::{ApiKey, Node, PreAuthKey, User, context};
use crate::cidr::Prefix;
use crate::hujson;
use crate::policy::{Dialect, Policy, PolicyContext};
use crate::sandbox::clock;
use crate::sandbox::example::hash;

/// Everything that the server remembers.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    pub users: Vec<User>,
    pub nodes: Vec<Node>,
    pub policy: Option<StoredPolicy>,
    /// The keys with which machines sign in, with their secrets in `key`.
    pub pre_auth_keys: Vec<PreAuthKey>,
    pub api_keys: Vec<HeldKey>,
    pub waiting: Vec<Waiting>,
    /// The last id of each kind: none is given twice.
    last: [u64; 4],
    /// How many secrets were made.
    minted: u64,
}

/// A policy as it was stored.
#[derive(Clone, Debug)]
pub(super) struct StoredPolicy {
    pub text: String,
    pub updated_at: String,
}

/// A key of the API with its secret.
#[derive(Clone, Debug)]
pub(super) struct HeldKey {
    pub key: ApiKey,
    pub secret: String,
}

/// Somebody who waits at a login page or for an SSH check.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub id: String,
    /// The machine that would sign in; None for a check.
    pub machine: Option<Node>,
}

/// What has ids of its own.
#[derive(Clone, Copy)]
pub(super) enum Things {
    Users,
    Nodes,
    PreAuthKeys,
    ApiKeys,
}

/// The user of all nodes with tags.
const TAGGED: (&str, &str) = ("2147455555", "tagged-devices");

/// The default routes: whoever approves one approves both.
pub(super) const DEFAULT_ROUTES: [&str; 2] = ["0.0.0.0/0", "::/0"];

/// An id as a number.
pub(super) fn number(id: &str) -> Option<u64> {
    let is_number = id.bytes().all(|byte| byte.is_ascii_digit());
    id.parse().ok().filter(|_| is_number)
}

impl Store {
    pub fn new(users: Vec<User>, nodes: Vec<Node>, policy: String, now: i64) -> Store {
        let last = |ids: &mut dyn Iterator<Item = &String>| {
            ids.filter_map(|id| number(id)).max().unwrap_or_default()
        };
        let last_user = last(&mut users.iter().map(|user| &user.id));
        let last_node = last(&mut nodes.iter().map(|node| &node.id));
        let updated_at = clock::utc(now);
        let stored = StoredPolicy {
            text: policy,
            updated_at,
        };
        Store {
            users,
            nodes,
            policy: Some(stored).filter(|policy| !policy.text.is_empty()),
            last: [last_user, last_node, 0, 0],
            ..Store::default()
        }
    }

    /// An id that nothing of the kind has had.
    pub fn next_id(&mut self, things: Things) -> String {
        let [users, nodes, pre_auth_keys, api_keys] = &mut self.last;
        let last = match things {
            Things::Users => users,
            Things::Nodes => nodes,
            Things::PreAuthKeys => pre_auth_keys,
            Things::ApiKeys => api_keys,
        };
        *last += 1;
        last.to_string()
    }

    /// Digits that nothing else has: a prefix, and a secret behind it.
    pub fn digits(&mut self, now: i64) -> (String, String) {
        self.minted += 1;
        let part = |salt: &str| hash(format!("{salt} {} {now}", self.minted).as_bytes());
        let prefix = format!("{:032x}", part("prefix"));
        let secret = format!("{:032x}{:032x}", part("secret"), part("rest"));
        (prefix.chars().take(12).collect(), secret)
    }

    /// Remembers a key of the API.
    pub fn hold(&mut self, secret: &str, expiration: Option<String>, now: i64) {
        let key = ApiKey {
            id: self.next_id(Things::ApiKeys),
            prefix: masked(secret),
            expiration,
            created_at: clock::utc(now),
            last_seen: None,
        };
        let secret = secret.to_owned();
        self.api_keys.push(HeldKey { key, secret });
    }

    pub fn user(&self, id: &str) -> Option<&User> {
        self.users.iter().find(|user| user.id == id)
    }

    pub fn user_named(&self, name: &str) -> Option<&User> {
        self.users.iter().find(|user| user.name == name)
    }

    /// The nodes of a user: those without tags.
    pub fn nodes_of<'s>(&'s self, user: &'s User) -> impl Iterator<Item = &'s Node> {
        let own = move |node: &&Node| node.user.as_ref().is_some_and(|own| own.id == user.id);
        let untagged = self.nodes.iter().filter(|node| node.tags.is_empty());
        untagged.filter(own)
    }

    /// Whose users and nodes a policy is judged by.
    pub fn context(&self) -> PolicyContext {
        let listed = json!({"users": self.users, "nodes": self.nodes}).to_string();
        let context = context(&listed).ok();
        let read = context.and_then(|context| PolicyContext::read(&context).ok());
        // INVARIANT: both are lists of what the API lists.
        read.unwrap_or_default()
    }

    /// Approves the routes that the policy approves of itself. What was approved stays.
    pub fn approve(&mut self) {
        let Some(policy) = &self.policy else {
            return;
        };
        let text = Dialect::Headscale.document(&policy.text);
        let Ok(document) = hujson::parse(text) else {
            return;
        };
        let policy = Policy::read_as(&document, Dialect::Headscale);
        let approvals = policy.approved_routes(&self.context());
        for (node, approval) in self.nodes.iter_mut().zip(approvals) {
            let routes = approval.approved.iter().map(Prefix::to_string);
            let new = routes.filter(|route| !node.approved_routes.contains(route));
            let new: Vec<String> = new.collect();
            node.approved_routes.extend(new);
        }
    }

    /// Whether the policy defines a tag.
    pub fn defines(&self, tag: &str) -> bool {
        let text = self.policy.as_ref().map_or("", |policy| &policy.text);
        hujson::parse(Dialect::Headscale.document(text)).is_ok_and(|document| {
            let policy = Policy::read_as(&document, Dialect::Headscale);
            policy.tag_owners.get(tag).is_some()
        })
    }

    /// A node as lists show it, with the routes that it serves now.
    pub fn listed(&self, node: &Node) -> Node {
        let served = self.served(node);
        let exits = node
            .available_routes
            .iter()
            .filter(|route| is_default(route));
        let exits = exits.filter(|route| node.approved_routes.contains(route));
        let subnet_routes = served.chain(exits).cloned().collect();
        owned(Node {
            subnet_routes,
            ..node.clone()
        })
    }

    /// A node as the answer to an approval shows it: without the default routes that it serves.
    pub fn approved(&self, node: &Node) -> Node {
        let subnet_routes = self.served(node).cloned().collect();
        owned(Node {
            subnet_routes,
            ..node.clone()
        })
    }

    /// The subnets that a node serves now: of several connected nodes the one with the lowest id.
    fn served<'s>(&'s self, node: &'s Node) -> impl Iterator<Item = &'s String> {
        let serves = |node: &Node, route: &String| {
            node.online
                && node.available_routes.contains(route)
                && node.approved_routes.contains(route)
        };
        let own = node.available_routes.iter();
        own.filter(|route| !is_default(route)).filter(move |route| {
            let all = self.nodes.iter().filter(|other| serves(other, route));
            let first = all.min_by_key(|other| number(&other.id));
            first.is_some_and(|first| first.id == node.id)
        })
    }
}

/// A node as all other answers show it: they name no routes that it serves.
pub(super) fn single(node: &Node) -> Node {
    owned(Node {
        subnet_routes: Vec::new(),
        ..node.clone()
    })
}

/// The same node with the user that stands for all nodes with tags, if it has any.
fn owned(mut node: Node) -> Node {
    let (id, name) = TAGGED;
    if !node.tags.is_empty() {
        node.user = Some(User {
            id: id.to_owned(),
            name: name.to_owned(),
            created_at: node.created_at.clone(),
            ..User::default()
        });
    }
    node
}

fn is_default(route: &str) -> bool {
    DEFAULT_ROUTES.contains(&route)
}

/// A secret with `***` for the part that makes it one.
pub(super) fn masked(secret: &str) -> String {
    let new = secret
        .strip_prefix("hskey-")
        .and_then(|_| secret.rsplit_once('-'));
    if let Some((shown, _)) = new {
        return format!("{shown}-***");
    }
    let shown = match secret.split_once('.') {
        Some((prefix, _)) => prefix.to_owned(),
        None => secret.chars().take(secret.chars().count() / 2).collect(),
    };
    format!("{shown}***")
}
