//! The server that a sandbox begins with: a small team, worth looking at in a dashboard. Must not live here: how any of it is served.

use super::store::{Store, Waiting};
use crate::api::headscale::{Node, User};
use crate::sandbox::clock::{self, DAY, HOUR, MINUTE};
use crate::sandbox::example::hash;

const POLICY: &str = include_str!("example.hujson");

/// The users, by id.
const USERS: [(&str, &str); 3] = [("ann", "Ann"), ("ben", "Ben"), ("cleo", "Cleo")];

/// One node in brief.
struct Sketch {
    name: &'static str,
    /// The place of its user, or its tag.
    owner: Result<usize, &'static str>,
    /// The routes that it announces, and whether they are approved.
    routes: (&'static [&'static str], bool),
    /// Milliseconds since it was last seen.
    seen: i64,
}

const NODES: [Sketch; 6] = [
    node("ann-laptop", Ok(0), (&[], false), MINUTE),
    node("ben-laptop", Ok(1), (&[], false), 3 * DAY),
    // Waits for somebody to approve it as an exit.
    node(
        "cleo-laptop",
        Ok(2),
        (&["0.0.0.0/0", "::/0"], false),
        2 * MINUTE,
    ),
    node("git-1", Err("tag:git"), (&[], false), MINUTE),
    node("build-1", Err("tag:build"), (&[], false), MINUTE),
    node(
        "backup-1",
        Err("tag:backup"),
        (&["10.20.0.0/16"], true),
        MINUTE,
    ),
];

const fn node(
    name: &'static str,
    owner: Result<usize, &'static str>,
    routes: (&'static [&'static str], bool),
    seen: i64,
) -> Sketch {
    Sketch {
        name,
        owner,
        routes,
        seen,
    }
}

/// The machine that waits at a login page, and the one that waits for an SSH check.
const WAITING: (&str, &str) = (
    "hskey-authreq-sandbox-machine",
    "hskey-authreq-sandbox-check",
);

/// The server as it might have grown until `now`, milliseconds since 1970. The same time gives the same server.
pub(super) fn store(now: i64) -> Store {
    let users: Vec<User> = (1_u32..)
        .zip(USERS)
        .map(|(id, own)| user(id, own, now))
        .collect();
    let nodes = (1_u32..).zip(&NODES);
    let nodes = nodes
        .map(|(id, sketch)| built(id, sketch, &users, now))
        .collect();
    let mut store = Store::new(users, nodes, POLICY.to_owned(), now - 20 * DAY);
    let (machine, check) = WAITING;
    store.waiting = vec![
        Waiting {
            id: machine.to_owned(),
            machine: Some(machine_named("ann-phone", &[])),
        },
        Waiting {
            id: check.to_owned(),
            machine: None,
        },
    ];
    store
}

fn user(id: u32, (name, display_name): (&str, &str), now: i64) -> User {
    User {
        id: id.to_string(),
        name: name.to_owned(),
        created_at: clock::utc(now - (90 - i64::from(id)) * DAY),
        display_name: display_name.to_owned(),
        email: format!("{name}@example.com"),
        ..User::default()
    }
}

fn built(id: u32, sketch: &Sketch, users: &[User], now: i64) -> Node {
    let (announced, is_approved) = sketch.routes;
    let routes: Vec<String> = announced.iter().map(|route| (*route).to_owned()).collect();
    Node {
        id: id.to_string(),
        ip_addresses: vec![format!("100.64.0.{id}"), format!("fd7a:115c:a1e0::{id:x}")],
        user: sketch
            .owner
            .ok()
            .and_then(|place| users.get(place).cloned()),
        tags: sketch.owner.err().map(str::to_owned).into_iter().collect(),
        last_seen: Some(clock::utc(now - sketch.seen)),
        expiry: sketch.owner.ok().map(|_| clock::utc(now + 150 * DAY)),
        created_at: clock::utc(now - (80 - i64::from(id)) * DAY - 3 * HOUR),
        register_method: "REGISTER_METHOD_CLI".to_owned(),
        online: sketch.seen < HOUR,
        approved_routes: if is_approved {
            routes.clone()
        } else {
            Vec::new()
        },
        available_routes: routes,
        ..machine_named(sketch.name, &[])
    }
}

/// A machine of this name that announces these routes, as it is before it has signed in.
pub(super) fn machine_named(name: &str, routes: &[String]) -> Node {
    let key = |kind: &str| {
        let half = |salt: &str| hash(format!("{salt} {kind} {name}").as_bytes());
        format!("{kind}:{:032x}{:032x}", half("first"), half("second"))
    };
    Node {
        id: "0".to_owned(),
        machine_key: key("mkey"),
        node_key: key("nodekey"),
        disco_key: key("discokey"),
        name: name.to_owned(),
        given_name: name.to_owned(),
        available_routes: routes.to_vec(),
        ..Node::default()
    }
}
