//! Everything that a reviewer of a change wants to know, also as Markdown.
//! Must not live here: the contents of each part (the verbs, and the files beside this one).

mod answer;
mod conditions;
mod devices;
mod guard;
mod headline;
mod issues;
mod judged;
mod logins;
mod markdown;
mod meaning;
mod names;
mod place;
mod postures;
mod reach;
mod reached;
mod renamed;
mod settings;
mod summary;
mod swapped;
mod tests;
mod treated;
mod undecided;
mod words;

pub use answer::Review;
pub use conditions::Conditioned;
pub use devices::{DeviceChange, DeviceState};
pub use judged::Judged;
pub use logins::NetworkLogin;
pub use postures::{PostureChange, PostureTurn};
pub use reach::{Exposure, Public};
pub use renamed::Renamed;
pub use tests::{ChangedTest, TestRef, Tests};

use super::diff::diff_of;
use super::powers::diff_powers_between;
use super::prove::Proof;
use super::relation::comparison::{self, Compared};
use super::relation::reading::Reading;
use super::relation::rows::SshRules;
use super::tailnet::flow::Judge;
use super::tailnet::parties::{Party, PartyKind};
use super::{diff_access, diff_ssh, unusable};
use crate::tables::sort;
use issues::new_issues;

/// Reviews a change between two documents that have answers. `guard` has the results of the guard's assertions for the
/// later one, if there is a guard.
#[inline(never)]
pub fn review<'p>(before: Judged<'p>, after: Judged<'p>, guard: Option<Proof>) -> Review {
    let policies = [before, after].map(|judged| judged.judge.policy());
    let contexts = [before, after].map(|judged| judged.judge.network.context);
    let documents = policies.map(|policy| policy.document);
    let [old, new] = documents;
    let [before_network, after_network] = contexts;
    let mut review = Review {
        unchanged: true,
        changes: Vec::new(),
        issues: Vec::new(),
        access: Vec::new(),
        ssh: Vec::new(),
        powers: Vec::new(),
        devices: Vec::new(),
        network_logins: Vec::new(),
        conditions: Conditioned::default(),
        postures: Vec::new(),
        locked_out: Vec::new(),
        orphaned: Vec::new(),
        exposed: Vec::new(),
        tests: Tests::default(),
        renamed: Vec::new(),
        guard,
        summary: String::new(),
    };
    let is_same_text = old.text() == new.text();
    if !is_same_text {
        review.changes = diff_of(policies.map(|policy| (policy.document, policy.dialect)));
        review.tests = Tests::of(policies);
        review.postures = postures::changed(policies);
        review.renamed = renamed::renamed(policies);
    }
    if !is_same_text || !std::ptr::eq(before_network, after_network) {
        review.issues = new_issues(
            (before.judge.policy(), &before.check.issues),
            (after.judge.policy(), &after.check.issues),
        );
        compare(&mut review, [before.judge, after.judge]);
        review.powers = diff_powers_between([before, after].map(|it| &it.judge.network));
        review.devices = devices::changed([before, after].map(|it| it.judge));
        review.conditions = Conditioned::of([before, after], &review.access, &review.ssh);
    }
    review.unchanged = review.tests == Tests::default()
        && review.access.is_empty()
        && review.ssh.is_empty()
        && review.powers.is_empty()
        && review.devices.is_empty()
        && review.conditions.is_empty()
        && !postures::are_meant(&review.postures, policies)
        && meaning::is_elsewhere_same(&review.changes);
    review.summary = summary::of(&review, after.judge.policy());
    review
}

/// What differs for people: each comparison is made once, and all who ask about it share it.
fn compare<'p>(review: &mut Review, judges: [&'p Judge<'p>; 2]) {
    let rules = judges.map(|judge| SshRules::new(&judge.network));
    let logins = diff_ssh::readings(judges, rules.each_ref());
    comparison::with(&judges.map(Reading::of_network), &mut |network| {
        comparison::with(&logins, &mut |logins| {
            review.access = diff_access::changes(network);
            review.ssh = diff_ssh::changes(logins);
            review.network_logins = logins::network_logins(&review.access, logins);
            review.locked_out = locked_out(network, logins);
        });
        review.exposed = reach::exposed(network);
        review.orphaned = network.orphaned();
    });
    review.access = unusable::access(
        judges,
        std::mem::take(&mut review.access),
        &diff_access::usable,
    );
    review.ssh = unusable::logins(judges, std::mem::take(&mut review.ssh), &diff_ssh::usable);
}

/// Who loses access or a login for certain, and then has neither left, not even perhaps.
fn locked_out(network: &mut Compared<'_, '_>, logins: &mut Compared<'_, '_>) -> Vec<Party> {
    let of_network = network.losers();
    let mut parties = logins.losers();
    parties.extend_from_slice(&of_network);
    sort::sort_by(&mut parties, |a, b| {
        (a.kind, &a.name).cmp(&(b.kind, &b.name))
    });
    parties.dedup();
    // An address by itself is nobody: whoever has it may have more by another name.
    parties.retain(|party| !party.kind.is_of_addresses() && party.kind != PartyKind::Any);
    parties.retain(|party| {
        let mut own = network.parties_among(party);
        own.push(party.clone());
        // A login needs the network too.
        let is_cut_off = of_network.contains(party);
        own.iter().all(|party| {
            !network.still_reaches(party) && (is_cut_off || !logins.still_reaches(party))
        })
    });
    parties
}
