//! How a machine that waits becomes a node, and what else waits for an answer. Must not live here: calls about nodes that are there.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use serde_json::json;

use super::HeadscaleSandbox;
use super::asked::Asked;
use super::body::Body;
use super::example::machine_named;
use super::nodes::answered;
use super::refusal::{Kind, Refusal};
use super::store::{Store, Things, Waiting, single};
use super::users::unknown_user;
use crate::api::headscale::Node;
use crate::api::{Request, Response};
use crate::sandbox::clock::{self, DAY};
use crate::sandbox::device_changes::label;

type Answer = Result<Response, Refusal>;

/// How many days a node may stay signed in.
const KEY_DAYS: i64 = 180;

impl HeadscaleSandbox {
    pub(super) fn register_node(&mut self, asked: &Asked<'_>) -> Answer {
        let given = |name| asked.query(name).unwrap_or_default();
        self.register(&given("user"), &given("key"), asked.now)
    }

    pub(super) fn register_auth(&mut self, asked: &Asked<'_>) -> Answer {
        let body = asked.body(&["user", "authId"])?;
        let (user, id) = (body.required("user")?, body.required("authId")?);
        self.register(&user, &id, asked.now)
    }

    fn register(&mut self, user: &str, id: &str, now: i64) -> Answer {
        judge(id)?;
        let user = self
            .store
            .user_named(user)
            .ok_or_else(unknown_user)?
            .clone();
        let waits = |waiting: &&Waiting| waiting.id == id && waiting.machine.is_some();
        let found = self.store.waiting.iter().find(waits);
        let machine = found.and_then(|waiting| waiting.machine.clone());
        let unknown = || Refusal::not_found("node not found in registration cache");
        let machine = machine.ok_or_else(unknown)?;
        self.store.waiting.retain(|waiting| waiting.id != id);
        let node = Node {
            id: self.store.next_id(Things::Nodes),
            given_name: self.store.free_name(&machine.name),
            ip_addresses: self.store.free_addresses().into(),
            user: Some(user),
            last_seen: Some(clock::utc(now)),
            expiry: Some(clock::utc(now + KEY_DAYS * DAY)),
            created_at: clock::utc(now),
            register_method: "REGISTER_METHOD_CLI".to_owned(),
            online: true,
            ..machine
        };
        let id = node.id.clone();
        self.store.nodes.push(node);
        self.store.approve();
        let nodes = &self.store.nodes;
        let node = nodes
            .iter()
            .find(|node| node.id == id)
            .ok_or_else(unknown)?;
        Ok(answered(&single(node)))
    }

    /// Has a machine wait for whoever signs it in, as one does that shows a login page.
    pub(super) fn debug_node(&mut self, request: &Request) -> Answer {
        let body = Body::read(request, self.release, &["user", "key", "name", "routes"])?;
        let id = body.required("key")?;
        judge(&id)?;
        let routes = body.texts("routes")?.unwrap_or_default();
        let machine = machine_named(&body.required("name")?, &routes);
        let user = self.store.user_named(&body.required("user")?);
        let user = user.ok_or_else(unknown_user)?.clone();
        let shown = Node {
            user: Some(user),
            ..machine.clone()
        };
        self.store.waiting.retain(|waiting| waiting.id != id);
        let machine = Some(machine);
        self.store.waiting.push(Waiting { id, machine });
        Ok(answered(&shown))
    }

    pub(super) fn approve_auth(&mut self, asked: &Asked<'_>) -> Answer {
        self.end_waiting(asked)
    }

    pub(super) fn reject_auth(&mut self, asked: &Asked<'_>) -> Answer {
        self.end_waiting(asked)
    }

    /// Whoever is let in or turned away no longer waits.
    fn end_waiting(&mut self, asked: &Asked<'_>) -> Answer {
        let id = asked.body(&["authId"])?.required("authId")?;
        judge(&id)?;
        let place = self
            .store
            .waiting
            .iter()
            .position(|waiting| waiting.id == id);
        let unknown = || {
            let reason = format!("no pending auth session for auth_id {id}");
            Refusal::new(Kind::Missing, reason)
        };
        self.store.waiting.remove(place.ok_or_else(unknown)?);
        Ok(Response::json(200, &json!({})))
    }
}

/// What is no id of somebody who waits is refused before it is looked for.
fn judge(id: &str) -> Result<(), Refusal> {
    let is_known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    match !id.is_empty() && id.chars().all(is_known) {
        true => Ok(()),
        false => Err(Refusal::bad("invalid auth_id")),
    }
}

impl Store {
    /// The name in the network of a machine that calls itself so: a label that no node has.
    fn free_name(&self, wanted: &str) -> String {
        let wanted = match label(wanted) {
            label if label.is_empty() => "node".to_owned(),
            label => label,
        };
        let is_free = |name: &String| self.nodes.iter().all(|node| node.given_name != *name);
        let others = (1_u32..).map(|number| format!("{wanted}-{number}"));
        let mut names = std::iter::once(wanted.clone()).chain(others);
        names.find(is_free).unwrap_or(wanted)
    }

    /// The first address of each family of which no node has either.
    pub(super) fn free_addresses(&self) -> [String; 2] {
        let taken = self.nodes.iter().flat_map(|node| &node.ip_addresses);
        let taken: Vec<u32> = taken.filter_map(|text| place_of(text)).collect();
        let free = (1..).find(|place| !taken.contains(place));
        let place = free.unwrap_or_default();
        let v4 = u32::from(Ipv4Addr::new(100, 64, 0, 0)) + place;
        let v6 = FIRST_V6 + u128::from(place);
        [
            Ipv4Addr::from(v4).to_string(),
            Ipv6Addr::from(v6).to_string(),
        ]
    }
}

/// fd7a:115c:a1e0::
const FIRST_V6: u128 = 0xfd7a_115c_a1e0 << 80;

/// How far an address is behind the first of its family.
fn place_of(text: &str) -> Option<u32> {
    match text.parse().ok()? {
        IpAddr::V4(address) => {
            u32::from(address).checked_sub(u32::from(Ipv4Addr::new(100, 64, 0, 0)))
        }
        IpAddr::V6(address) => u32::try_from(u128::from(address).checked_sub(FIRST_V6)?).ok(),
    }
}
