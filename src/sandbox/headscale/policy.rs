//! Calls about the policy, judged with the users and nodes of the server. Must not live here: any judgement (`policy`).

use serde_json::json;

use super::HeadscaleSandbox;
use super::asked::Asked;
use super::refusal::{Kind, Refusal};
use super::store::{Store, StoredPolicy};
use crate::api::Response;
use crate::hujson;
use crate::policy::{Check, Dialect, Judgement, Policy};
use crate::sandbox::clock;

type Answer = Result<Response, Refusal>;

/// The code of a login that is no user's or several users': what does not hang on the text alone.
const UNKNOWN_USER: &str = "unknown_user";

/// In which order a call judges what does not hang on the text alone.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    /// Tests, then the targets of attributes: before a policy is stored.
    TestsFirst,
    /// The other way round: when a policy is checked.
    TestsLast,
}

impl HeadscaleSandbox {
    pub(super) fn get_policy(&mut self, _: &Asked<'_>) -> Answer {
        let missing = || Refusal::new(Kind::Broken, "acl policy not found");
        let stored = self.store.policy.as_ref().ok_or_else(missing)?;
        Ok(shown(stored))
    }

    /// Whoever writes last wins. What the policy approves of itself is approved at once.
    pub(super) fn set_policy(&mut self, asked: &Asked<'_>) -> Answer {
        let text = asked.body(&["policy"])?.required("policy")?;
        if let Some(reason) = refusal(&self.store, &text, Order::TestsFirst) {
            return Err(Refusal::failed(reason).while_doing("setting policy"));
        }
        let updated_at = clock::utc(asked.now);
        let stored = StoredPolicy { text, updated_at };
        let answer = shown(&stored);
        self.store.policy = Some(stored);
        self.store.approve();
        Ok(answer)
    }

    pub(super) fn check_policy(&mut self, asked: &Asked<'_>) -> Answer {
        let text = asked.body(&["policy"])?.required("policy")?;
        match refusal(&self.store, &text, Order::TestsLast) {
            Some(reason) => Err(Refusal::bad(reason)),
            None => Ok(Response::json(200, &json!({}))),
        }
    }
}

fn shown(stored: &StoredPolicy) -> Response {
    let StoredPolicy { text, updated_at } = stored;
    Response::json(200, &json!({"policy": text, "updatedAt": updated_at}))
}

/// Why the server would not take this policy, with the words of the stage before it.
fn refusal(store: &Store, text: &str, order: Order) -> Option<String> {
    const PARSING: &str = "parsing policy: ";
    let context = store.context();
    let document = match hujson::parse(Dialect::Headscale.document(text)) {
        Ok(document) => document,
        Err(error) => {
            let check = Check::of_no_document(&error, Dialect::Headscale);
            return Some(format!("{PARSING}{}", check.message.unwrap_or_default()));
        }
    };
    let policy = Policy::read_as(&document, Dialect::Headscale);
    let judgement = policy.judge(&context);
    let message = judgement.message?;
    let Some(first) = judgement.problems.first() else {
        return Some(message);
    };
    let mut attributes = policy.node_attrs.iter();
    let is_of_attributes = attributes.any(|entry| entry.span == first.span);
    let words = match (first.code, is_of_attributes) {
        (UNKNOWN_USER, true) if order == Order::TestsFirst => {
            let of_tests = Judgement::new(&policy, Vec::new(), judgement.tests).message;
            return Some(of_tests.unwrap_or(message));
        }
        (UNKNOWN_USER, true) => "",
        (UNKNOWN_USER, false) => "validating policy user references: ",
        _ => PARSING,
    };
    Some(format!("{words}{message}"))
}
