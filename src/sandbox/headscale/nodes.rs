//! Calls about nodes. Must not live here: how a machine becomes one (`registration`).

use serde_json::json;

use super::HeadscaleSandbox;
use super::asked::Asked;
use super::refusal::{Kind, Refusal};
use super::store::{DEFAULT_ROUTES, number, single};
use super::users::unknown_user;
use crate::api::headscale::Node;
use crate::api::{Request, Response, uri};
use crate::cidr::Prefix;
use crate::sandbox::clock;
use crate::tables::sort::{sort, sort_by};

type Answer = Result<Response, Refusal>;

fn unknown() -> Refusal {
    Refusal::new(Kind::Missing, "node not found")
}

pub(super) fn answered(node: &Node) -> Response {
    Response::json(200, &json!({"node": node}))
}

impl HeadscaleSandbox {
    fn node(&mut self, asked: &Asked<'_>) -> Result<&mut Node, Refusal> {
        let id = number(asked.id("node_id")?);
        let mut nodes = self.store.nodes.iter_mut();
        nodes
            .find(|node| number(&node.id) == id)
            .ok_or_else(unknown)
    }

    /// All nodes, or those of the user with this name.
    pub(super) fn list_nodes(&mut self, asked: &Asked<'_>) -> Answer {
        let mut nodes: Vec<&Node> = match asked.query("user") {
            None => self.store.nodes.iter().collect(),
            Some(name) => {
                let user = self.store.user_named(&name).ok_or_else(unknown_user)?;
                self.store.nodes_of(user).collect()
            }
        };
        sort_by(&mut nodes, |a, b| number(&a.id).cmp(&number(&b.id)));
        let nodes: Vec<Node> = nodes
            .into_iter()
            .map(|node| self.store.listed(node))
            .collect();
        Ok(Response::json(200, &json!({"nodes": nodes})))
    }

    pub(super) fn get_node(&mut self, asked: &Asked<'_>) -> Answer {
        let node = self.node(asked)?;
        Ok(answered(&single(node)))
    }

    pub(super) fn delete_node(&mut self, asked: &Asked<'_>) -> Answer {
        let id = self.node(asked)?.id.clone();
        self.store.nodes.retain(|node| node.id != id);
        Ok(Response::json(200, &json!({})))
    }

    /// Now, or at a time, or never.
    pub(super) fn expire_node(&mut self, asked: &Asked<'_>) -> Answer {
        let body = asked.body(&["expiry", "disableExpiry"])?;
        let (at, never) = (body.time("expiry")?, body.flag("disableExpiry")?);
        let node = self.node(asked)?;
        node.expiry = match (at, never) {
            (Some(_), true) => {
                return Err(Refusal::bad("cannot set both expiry and disable_expiry"));
            }
            (None, true) => None,
            (Some(at), false) => Some(at),
            (None, false) => Some(clock::utc(asked.now)),
        };
        Ok(answered(&single(node)))
    }

    pub(super) fn rename_node(&mut self, asked: &Asked<'_>) -> Answer {
        let name = asked.second();
        let id = self.node(asked)?.id.clone();
        let refused = |reason: &str| Err(Refusal::failed(reason).while_doing("renaming node"));
        if !is_label(name) {
            return refused("name must be a DNS label");
        }
        let mut others = self.store.nodes.iter().filter(|node| node.id != id);
        if others.any(|node| node.given_name == name) {
            return refused(&format!("name is not unique: {name}"));
        }
        let node = self.node(asked)?;
        name.clone_into(&mut node.given_name);
        Ok(answered(&single(node)))
    }

    /// Replaces the tags. What has tags keeps at least one.
    pub(super) fn set_node_tags(&mut self, asked: &Asked<'_>) -> Answer {
        let mut tags = asked.body(&["tags"])?.required_texts("tags")?;
        self.node(asked)?;
        if tags.is_empty() {
            let rule = "tagged nodes must have at least one tag";
            return Err(Refusal::bad(format!(
                "cannot remove all tags from a node - {rule}"
            )));
        }
        if let Some(reason) = tags.iter().find_map(|tag| tag_fault(tag)) {
            return Err(Refusal::bad(reason));
        }
        let undefined: Vec<&str> = tags
            .iter()
            .map(String::as_str)
            .filter(|tag| !self.store.defines(tag))
            .collect();
        if !undefined.is_empty() {
            let undefined = undefined.join(" ");
            let reason = format!("requested tags [{undefined}] are invalid or not permitted");
            return Err(Refusal::bad(reason));
        }
        sort(&mut tags);
        tags.dedup();
        let node = self.node(asked)?;
        node.tags = tags;
        Ok(answered(&single(node)))
    }

    /// Replaces the routes that a node may serve; either default route means both.
    pub(super) fn set_approved_routes(&mut self, asked: &Asked<'_>) -> Answer {
        let given = asked.body(&["routes"])?.required_texts("routes")?;
        let mut routes = Vec::new();
        for text in &given {
            match Prefix::parse(text) {
                Ok(prefix) if prefix.length() == 0 => {
                    let both = DEFAULT_ROUTES
                        .iter()
                        .filter_map(|route| Prefix::parse(route).ok());
                    routes.extend(both);
                }
                Ok(prefix) => routes.push(prefix.masked()),
                Err(error) => {
                    let reason = error.to_string();
                    return Err(Refusal::failed(reason).while_doing("parsing route"));
                }
            }
        }
        sort(&mut routes);
        routes.dedup();
        let node = self.node(asked)?;
        node.approved_routes = routes.iter().map(Prefix::to_string).collect();
        let node = node.clone();
        Ok(answered(&self.store.approved(&node)))
    }

    /// Gives addresses to nodes that lack some.
    pub(super) fn backfill_addresses(&mut self, request: &Request) -> Answer {
        let confirmed = uri::query_value(request.query(), "confirmed");
        if confirmed.as_deref() != Some("true") {
            return Err(Refusal::failed("not confirmed, aborting"));
        }
        let mut changes = Vec::new();
        for place in 0..self.store.nodes.len() {
            let free = self.store.free_addresses();
            let Some(node) = self.store.nodes.get_mut(place) else {
                continue;
            };
            for (family, address) in [("IPv4", &free[0]), ("IPv6", &free[1])] {
                let is_v6 = |address: &String| address.contains(':');
                if node
                    .ip_addresses
                    .iter()
                    .any(|own| is_v6(own) == is_v6(address))
                {
                    continue;
                }
                let (id, name) = (&node.id, &node.name);
                changes.push(format!(
                    "assigned {family} {address} to Node({id}) {name:?}"
                ));
                node.ip_addresses.push(address.clone());
            }
        }
        Ok(Response::json(200, &json!({"changes": changes})))
    }
}

/// Whether a name can stand in the DNS.
fn is_label(name: &str) -> bool {
    let is_known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let ends = name.starts_with('-') || name.ends_with('-');
    !name.is_empty() && name.len() <= 63 && !ends && name.chars().all(is_known)
}

/// Why a text is no tag.
pub(super) fn tag_fault(tag: &str) -> Option<&'static str> {
    match () {
        () if !tag.starts_with("tag:") => Some("tag must start with the string 'tag:'"),
        () if tag.contains(char::is_uppercase) => Some("tag should be lowercase"),
        () if tag.contains(char::is_whitespace) => Some("tags must not contain spaces"),
        () => None,
    }
}
