//! Logins that are treated otherwise, in the words of a summary.
//! Must not live here: logins that are gained, lost or undecided (words.rs).

use super::markdown::code;
use super::words::{Sentence, login_given, terms};
use crate::policy::findings::words::joined;
use crate::policy::language::login::SshAction;
use crate::policy::ssh_change::{CheckedReach, Direction, SshReach};

/// Logins that are treated otherwise.
pub fn checked(checked: &CheckedReach) -> Sentence<'_> {
    let reach = &checked.reach;
    let said = login_given(reach, &treated_terms(reach));
    let was = &checked.was;
    let mut how = Vec::new();
    match (was.action, reach.action) {
        (SshAction::Accept, SshAction::Check) => how.push("now needs a check".to_owned()),
        (SshAction::Check, SshAction::Accept) => how.push("no longer needs a check".to_owned()),
        _ => {}
    }
    let period = |period: &Option<String>| code(period.as_deref().unwrap_or("12h"));
    let periods = [&reach.check_period, &was.treatment.check_period].map(period);
    if let [now, before] = &periods
        && (was.action, reach.action) == (SshAction::Check, SshAction::Check)
        && now != before
    {
        let is_always = |period: &String| period == "`always`";
        how.push(match (is_always(now), is_always(before)) {
            (true, _) => joined(&["each login needs one, before a check counted for ", before]),
            (_, true) => joined(&["a check counts for ", now, ", before each login needed one"]),
            _ => joined(&["a check counts for ", now, ", before for ", before]),
        });
    }
    if reach.accept_env != was.treatment.accept_env {
        let passed =
            [&reach.accept_env, &was.treatment.accept_env].map(|names| match names.is_empty() {
                true => "nothing".to_owned(),
                false => code(&names.join(" ")),
            });
        let [now, before] = &passed;
        let some = if reach.is_env_of_some {
            " for some of them"
        } else {
            ""
        };
        how.push(joined(&["passes on ", now, some, ", before ", before]));
    }
    let tier = match checked.now {
        Direction::Looser => 0,
        Direction::Tighter => 4,
    };
    Sentence {
        rest: joined(&[&said.said(), ": ", &how.join("; ")]),
        from: None,
        weight: (tier + said.weight.0, 0),
        ..said
    }
}

/// The conditions of a login that is treated otherwise: with those of the other document nothing changes.
fn treated_terms(reach: &SshReach) -> String {
    let own = terms(&reach.postures, &[]);
    let others = reach.unless.each().map(|(postures, _)| postures);
    let mut others = others.flatten().cloned().collect::<Vec<_>>();
    others.dedup();
    match others.is_empty() {
        true => own,
        false => joined(&[&own, ", but not", &terms(&others, &[])]),
    }
}
