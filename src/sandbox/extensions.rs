//! Calls beyond the specification that newer clients make: checking a policy, and changing single fields of a device.
//!
//! Must not live here: the calls of the specification, verdicts.

use serde::Serialize;

use super::choices::{self, Refusal};
use super::{Sandbox, acl, clock};
use crate::api::{DeviceId, Input, Request, Response, Scope};
use crate::cidr::Address;
use crate::hujson::{self, Kind};
use crate::policy::{NOT_SYNCED, Policy, Topology};

/// How long a key lasts that expires again, in days: what the service takes where nobody chose.
const KEY_DAYS: i64 = 180;

/// What is said of a policy that is accepted all the same.
#[derive(Serialize)]
struct Warnings {
    message: &'static str,
    data: Vec<Warning>,
}

#[derive(Serialize)]
struct Warning {
    user: String,
    warnings: [&'static str; 1],
}

impl Sandbox {
    /// A policy is judged; a list is run as tests of the stored policy. Status 200 whatever the verdict: an empty object
    /// where there is nothing to say, otherwise `message` and `data`. Clients take any `message` as a failure.
    pub(super) fn validate_acl(
        &self,
        scope: Scope,
        request: &Request,
    ) -> Result<Response, Refusal> {
        let tailnet = scope.tailnet()?;
        let name = self.name_of(&tailnet)?;
        let tailnet = self.tailnet(&tailnet)?;
        let text = str::from_utf8(&request.body)
            .map_err(|_| Refusal::BadRequest("the body is not UTF-8".to_owned()))?;
        let verdict = validate(text, &tailnet.acl, &acl::topology(&name, tailnet));
        Ok(match verdict {
            Ok(None) => done(),
            Ok(Some(warnings)) => Response::json(200, &warnings),
            Err(refusal) => refusal.verdict(),
        })
    }

    pub(super) fn authorize_device(
        &mut self,
        scope: Scope,
        request: &Request,
    ) -> Result<Response, Refusal> {
        let authorized = Input::read(request)?.flag("authorized")?;
        self.own_device(scope)?.set("authorized", authorized);
        Ok(done())
    }

    pub(super) fn set_device_tags(
        &mut self,
        scope: Scope,
        request: &Request,
    ) -> Result<Response, Refusal> {
        let tags = Input::read(request)?.texts("tags")?;
        if let Some(bad) = tags.iter().find(|tag| !tag.starts_with("tag:")) {
            return Err(Refusal::BadEntry(format!(
                "`{bad}` is not a tag; tags begin with `tag:`"
            )));
        }
        self.own_device(scope)?.set("tags", tags);
        Ok(done())
    }

    pub(super) fn set_device_key(
        &mut self,
        scope: Scope,
        request: &Request,
        now: i64,
    ) -> Result<Response, Refusal> {
        let key_expiry_disabled = Input::read(request)?.flag("keyExpiryDisabled")?;
        let device = self.own_device(scope)?;
        device.set("keyExpiryDisabled", key_expiry_disabled);
        let expires = if key_expiry_disabled {
            choices::NO_TIME.to_owned()
        } else {
            clock::utc(now.saturating_add(KEY_DAYS * clock::DAY))
        };
        device.set("expires", expires);
        Ok(done())
    }

    pub(super) fn set_device_name(
        &mut self,
        scope: Scope,
        request: &Request,
    ) -> Result<Response, Refusal> {
        let input = Input::read(request)?;
        let name = input.text("name")?;
        if name.is_empty() {
            return Err(Refusal::BadEntry("`name` must not be empty".to_owned()));
        }
        self.own_device(scope)?.set("name", name);
        Ok(done())
    }

    pub(super) fn set_device_ip(
        &mut self,
        scope: Scope,
        request: &Request,
    ) -> Result<Response, Refusal> {
        let input = Input::read(request)?;
        let ipv4 = input.text("ipv4")?;
        if !matches!(Address::parse(ipv4), Ok(Address::V4(_))) {
            return Err(Refusal::BadEntry(format!(
                "`{ipv4}` is not an IPv4 address"
            )));
        }
        let device = self.own_device(scope)?;
        let others = device
            .list("addresses")
            .into_iter()
            .filter(|address| address.contains(':'));
        let addresses: Vec<String> = std::iter::once(ipv4.to_owned()).chain(others).collect();
        device.set("addresses", addresses);
        Ok(done())
    }

    fn own_device(&mut self, scope: Scope) -> Result<&mut super::Device, Refusal> {
        let id: DeviceId = scope.device()?;
        self.device_mut(&id)
    }
}

fn validate(text: &str, stored: &str, topology: &Topology) -> Result<Option<Warnings>, Refusal> {
    let tree = hujson::parse(text)?;
    if tree.root().kind() != Kind::Array {
        let policy = Policy::read(&tree);
        acl::judge(&policy, topology)?;
        return Ok(warnings(&policy));
    }
    let with_tests = format!("{{\"tests\": {text}\n}}");
    let (stored, tests) = (hujson::parse(stored)?, hujson::parse(&with_tests)?);
    let mut policy = Policy::read(&stored);
    policy.tests = Policy::read(&tests).tests;
    policy.ssh_tests.clear();
    acl::judge(&policy, topology)?;
    Ok(None)
}

/// The answer for groups that an identity provider would have to send, each once; None where there is none.
fn warnings(policy: &Policy<'_>) -> Option<Warnings> {
    let mut data: Vec<Warning> = Vec::new();
    for group in policy.unsynced_groups() {
        if !data.iter().any(|known| known.user == group.name()) {
            data.push(Warning {
                user: group.name().to_owned(),
                warnings: [NOT_SYNCED],
            });
        }
    }
    let message = "warning(s) found";
    (!data.is_empty()).then_some(Warnings { message, data })
}

/// These calls answer with an empty object.
fn done() -> Response {
    Response::json(200, &serde_json::Map::new())
}
