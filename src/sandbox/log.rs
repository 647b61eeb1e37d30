//! The log of changes and the log of traffic: what is recorded, for how long, and what is returned.
//! Must not live here: what an operation changes (`change`), wire shapes (`api`).

use serde_json::Value;

use super::change::{Change, NODE};
use super::choices::{Outcome, Refusal, refused};
use super::clock::{self, DAY};
use super::perform::serves;
use super::state::Tailnet;
use super::{Sandbox, change};
use crate::api::payload::from_json;
use crate::api::{
    AuditEntry, AuditLog, AuditTarget, GetAuditLog, GetNetworkLog, NetworkFlows, NetworkLog,
    Operation, Request,
};

/// How long changes are kept, in milliseconds.
const KEPT: i64 = 90 * DAY;
/// How long traffic is kept.
const TOLD: i64 = 30 * DAY;
/// The most entries of a log. A sandbox is no archive: older entries are dropped.
const MOST: usize = 500;
/// The most bytes of text, mainly policies, that a log holds.
const MOST_TEXT: usize = 256 << 10;

serves! {
    GetAuditLog: timed get_audit_log,
    GetNetworkLog: timed get_network_log,
}

impl Sandbox {
    /// Records a change.
    pub(super) fn record(&mut self, change: &Change, request: &Request, now: i64) {
        let Some(thing) = change.thing() else { return };
        let action = match (&change.old, &change.new) {
            (None, _) => "CREATE",
            (_, None) => "DELETE",
            _ => "UPDATE",
        };
        let value = |thing: &Option<change::Thing>| {
            let value = thing.as_ref().map(|thing| thing.value.clone());
            value.unwrap_or_default()
        };
        let whole = action != "UPDATE";
        let property = property(change.operation).filter(|_| !whole);
        let entry = AuditEntry {
            event_time: clock::utc(now),
            kind: "CONFIG".to_owned(),
            event_group_id: self.fresh("event", now),
            origin: "API".to_owned(),
            actor: self.actor(&thing.tailnet),
            target: AuditTarget {
                id: thing.id.clone(),
                name: thing.name.clone(),
                kind: thing.kind.to_owned(),
                property: property.map(str::to_owned),
                ..AuditTarget::default()
            },
            action: action.to_owned(),
            old: value(&change.old),
            new: value(&change.new),
            action_details: comment(change.operation, request),
            ..AuditEntry::default()
        };
        if let Some(tailnet) = self.state.tailnets.get_mut(&thing.tailnet) {
            tailnet.write_down(entry, now);
        }
    }

    fn get_audit_log(&self, call: GetAuditLog, now: i64) -> Outcome<AuditLog> {
        let window = Window::read(&call.wanted.start, &call.wanted.end)?;
        for event in &call.wanted.events {
            if !is_event(event) {
                return refused!("unknown event \"{event}\"");
            }
        }
        let wanted = |entry: &&AuditEntry| {
            let AuditEntry { actor, target, .. } = entry;
            let people = [&actor.login_name, &actor.display_name];
            window.holds(&entry.event_time, now - KEPT)
                && matches(&call.wanted.actors, &actor.id, &people)
                && matches(&call.wanted.targets, &target.id, &[&target.name])
                && (call.wanted.events.is_empty()
                    || call.wanted.events.iter().any(|event| is_of(event, entry)))
        };
        let log = &self.tailnet(&call.tailnet)?.log;
        Ok(AuditLog {
            version: "1.1".to_owned(),
            tailnet_id: self.name_of(&call.tailnet)?,
            logs: log.iter().filter(wanted).cloned().collect(),
        })
    }

    /// Only a snapshot can contain traffic, as there are no real devices.
    fn get_network_log(&self, call: GetNetworkLog, now: i64) -> Outcome<NetworkLog> {
        let window = Window::read(&call.wanted.start, &call.wanted.end)?;
        let wanted = |flows: &&NetworkFlows| window.holds(&flows.logged, now - TOLD);
        let flows = self.tailnet(&call.tailnet)?.flows.iter();
        let logs = flows.filter(wanted).cloned().collect();
        Ok(NetworkLog { logs })
    }
}

impl Tailnet {
    fn write_down(&mut self, entry: AuditEntry, now: i64) {
        self.log.push(entry);
        let is_old = |entry: &&AuditEntry| {
            let at = clock::parse(&entry.event_time);
            at.is_none_or(|at| at <= now - KEPT)
        };
        let recent = self.log.len() - self.log.iter().take_while(is_old).count();
        let mut bytes = 0;
        let fits = |entry: &&AuditEntry| {
            bytes += size(entry);
            bytes <= MOST_TEXT
        };
        let fitting = self.log.iter().rev().take_while(fits).count();
        // The last one stays, however long.
        let kept = recent.min(fitting).clamp(1, MOST);
        self.log.drain(..self.log.len().saturating_sub(kept));
    }
}

/// Bytes of the texts of an entry.
fn size(entry: &AuditEntry) -> usize {
    let text = |value: &Value| value.as_str().map_or(0, str::len);
    text(&entry.old) + text(&entry.new)
}

/// A time window, in milliseconds since 1970.
struct Window {
    start: i64,
    end: i64,
}

impl Window {
    fn read(start: &str, end: &str) -> Outcome<Window> {
        let instant = |name: &str, text: &str| {
            let invalid = || Refusal::BadRequest(format!("invalid \"{name}\" time"));
            clock::parse(text).ok_or_else(invalid)
        };
        Ok(Window {
            start: instant("start", start)?,
            end: instant("end", end)?,
        })
    }

    /// Whether an instant is in it, and not before the time from which entries are kept.
    fn holds(&self, instant: &str, kept: i64) -> bool {
        let at = clock::parse(instant);
        at.is_some_and(|at| self.start.max(kept) <= at && at < self.end)
    }
}

/// Whether a user or thing is among those asked for: by id or, after a `~`, by any part of id or names.
fn matches(asked: &[String], id: &str, names: &[&String]) -> bool {
    let is = |asked: &String| match asked.strip_prefix('~') {
        None => asked == id,
        Some(part) => id.contains(part) || names.iter().any(|name| name.contains(part)),
    };
    asked.is_empty() || asked.iter().any(is)
}

/// `NODE` for all events on devices, `NODE.ACL_TAGS` and `NODE.DELETE` for single ones.
fn is_of(event: &str, entry: &AuditEntry) -> bool {
    let (kind, what) = event.split_once('.').unwrap_or((event, ""));
    let property = entry.target.property.as_deref().unwrap_or(&entry.action);
    kind == entry.target.kind && (what.is_empty() || what == property)
}

fn is_event(event: &str) -> bool {
    let (kind, what) = event.split_once('.').unwrap_or((event, "CREATE"));
    let whole = ["CREATE", "UPDATE", "DELETE"].contains(&what);
    let mut all = Operation::ALL.into_iter();
    let is = |operation: Operation| {
        change::kind(operation) == Some(kind) && (whole || property(operation) == Some(what))
    };
    all.any(is) || (kind == NODE && whole)
}

/// Which property an operation changes, if not the whole.
fn property(operation: Operation) -> Option<&'static str> {
    operation.logged()?.property
}

/// The reason given for a change of attributes: only the log keeps it.
fn comment(operation: Operation, request: &Request) -> Option<String> {
    let body = (property(operation) == Some("ATTRIBUTES")).then_some(request.body.as_slice())?;
    let body: Value = from_json(body).ok()?;
    let text = body.get("comment")?.as_str()?;
    (!text.is_empty()).then(|| text.to_owned())
}
