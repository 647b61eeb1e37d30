//! The smallest edits of a policy that allow a flow or a login, each with what else it opens: candidates are written, then judged like
//! any other text, and what does not allow the flow is dropped.
//! Must not live here: what the candidates are (`repair/candidates`), how a text is edited (`edit`), what a rule means.

mod candidates;

use self::candidates::{Attempt, Wanted};
use super::access_change::AccessChange;
use super::diff_access::diff_access_between;
use super::diff_ssh::diff_ssh_between;
use super::explanation::Verdict;
use super::findings::words::joined;
use super::language::document::Policy;
use super::question::Flow;
use super::tailnet::flow::Judge;
use super::verdict::{Error, closes};
use crate::hujson::{self, Splice, changes};
use crate::tables::sort;

/// How many repairs are given.
const MOST: usize = 5;

/// An edit that allows a flow.
#[derive(Clone, Debug)]
pub struct Repair {
    /// The edits of the text, in its order; they do not overlap.
    pub edits: Vec<Splice>,
    /// The text after them.
    pub text: String,
    /// What they do, in words.
    pub title: String,
    /// Who gains access by them, the flow itself included. Logins are not in it: `diff_ssh` tells those.
    pub changes: Vec<AccessChange>,
}

impl<'p> Judge<'p> {
    /// The smallest edits that allow a flow or a login, at most five: first those that open least besides, of these the shortest. An edit after
    /// which a test of the policy fails is last, and says so. Empty for a flow that is allowed already, and where no edit of rules and groups
    /// alone allows it.
    ///
    /// ```
    /// use tailnet_kit::hujson;
    /// use tailnet_kit::policy::{Flow, Judge, Policy, PolicyContext};
    ///
    /// let text = r#"{"acls": [{"action": "accept", "src": ["ann@example.com"], "dst": ["10.0.0.1:80"]}]}"#;
    /// let (document, context) = (hujson::parse(text)?, PolicyContext::default());
    /// let policy = Policy::read(&document);
    /// let flow = Flow::new(&"bob@example.com".parse()?, "10.0.0.1:80", None)?;
    ///
    /// let repairs = Judge::new(&policy, &context).repair(&flow)?;
    /// assert_eq!(repairs[0].title, "Add bob@example.com to the sources of the rule in line 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Policy::explain`], and [`Error::Argument`] for a name that neither text nor context has.
    #[inline(never)]
    pub fn repair(&self, flow: &Flow) -> Result<Vec<Repair>, Error> {
        let network = flow.without_login();
        let mut wanted = Wanted::new(self, flow)?;
        let mut explanation = self.explain(flow)?;
        if explanation.verdict == Verdict::Allowed {
            return Ok(Vec::new());
        }
        if flow.user.is_some() && self.needs_network_alone(flow, &network)? {
            wanted = Wanted::new(self, &network)?;
            explanation = self.explain(&network)?;
        }
        let candidates = wanted.candidates(&explanation.near_misses);
        let mut tried: Vec<Tried> = Vec::new();
        for candidate in candidates {
            if tried
                .iter()
                .all(|known| known.repair.text != candidate.text)
            {
                tried.extend(self.tried(flow, candidate));
            }
        }
        sort::sort_by(&mut tried, |one, other| one.cost.cmp(&other.cost));
        tried.truncate(MOST);
        Ok(tried.into_iter().map(|tried| tried.repair).collect())
    }

    /// Whether a login is allowed as soon as its packets are.
    fn needs_network_alone(&self, login: &Flow, network: &Flow) -> Result<bool, Error> {
        let Some(rule) = Wanted::new(self, network)?.rule() else {
            return Ok(false);
        };
        let allows = self.judged(&rule.text, |judge, _| judge.explain(login));
        Ok(allows
            .transpose()?
            .is_some_and(|it| it.verdict == Verdict::Allowed))
    }

    /// A candidate that allows the flow; of a login also one that needs a network rule besides.
    fn tried(&self, flow: &Flow, candidate: Attempt) -> Option<Tried> {
        let further = self.judged(&candidate.text, |judge, fails| {
            let found = judge.explain(flow).ok()?;
            if found.verdict == Verdict::Allowed {
                return Some(Err(self.repaired(judge, &candidate, fails)));
            }
            let network = flow.without_login();
            let is_closed = judge.explain(&network).ok()?.verdict != Verdict::Allowed;
            let needs_network = flow.user.is_some() && is_closed;
            let wanted = needs_network.then(|| Wanted::new(judge, &network).ok());
            Some(Ok(wanted??.rule()?))
        })??;
        let rule = match further {
            Err(tried) => return Some(tried),
            Ok(rule) => rule,
        };
        let both = Attempt {
            title: joined(&[&candidate.title, "; ", &rule.title]),
            text: rule.text,
            width: candidate.width + rule.width,
        };
        self.judged(&both.text, |judge, fails| {
            let found = judge.explain(flow).ok()?;
            (found.verdict == Verdict::Allowed).then(|| self.repaired(judge, &both, fails))
        })?
    }

    /// What is asked of another text in the same context, if the service would take it, tests aside; and whether more tests fail than before.
    fn judged<R>(&self, text: &str, ask: impl FnOnce(&Judge<'_>, bool) -> R) -> Option<R> {
        let (context, dialect) = (self.network.context, self.policy().dialect);
        let document = hujson::parse(dialect.document(text)).ok()?;
        let policy = Policy::read_as(&document, dialect);
        let judgement = policy.judge(context);
        if closes(&judgement.problems) {
            return None;
        }
        let fails = !judgement.tests.passed && self.policy().run_tests(context).passed;
        Some(ask(&Judge::new(&policy, context), fails))
    }

    fn repaired(&self, after: &Judge<'_>, candidate: &Attempt, fails: bool) -> Tried {
        let before = self.policy().document.text();
        let edits = changes(before, &candidate.text);
        let gained = diff_access_between([self, after]);
        let logins = diff_ssh_between([self, after]);
        let pairs =
            |change: &AccessChange| change.gained.iter().count() + change.undecided.iter().count();
        let opened: usize = gained.iter().map(pairs).sum();
        let inserted: usize = edits.iter().map(|edit| edit.insert.len()).sum();
        let title = match fails {
            true => joined(&[&candidate.title, "; a test of the policy fails then"]),
            false => candidate.title.clone(),
        };
        Tried {
            cost: (fails, opened + logins.len(), candidate.width, inserted),
            repair: Repair {
                edits,
                text: candidate.text.clone(),
                title,
                changes: gained,
            },
        }
    }
}

/// A repair with what it costs: whether tests fail, how many pairs it opens, how many devices its names have, how much is written.
struct Tried {
    cost: (bool, usize, usize, usize),
    repair: Repair,
}
