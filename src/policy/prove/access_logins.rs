//! Who may log in where as whom under two policies: the differences.
//! Must not live here: flows (access.rs), what an ssh rule admits (admitting.rs).

use super::access::{Compared, ONLY_THE_OTHER};
use super::accounts::Accounts;
use super::doors::{Doors, Source, are_devices};
use super::logins;
use super::proof::Finding;
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::party::Side;

impl Compared<'_, '_> {
    /// Compares who may log in where as whom.
    pub fn logins(&self, finding: &mut Finding) {
        let doors = self.judges.map(Doors::new);
        let [own, base] = &doors;
        if self
            .judges
            .iter()
            .all(|judge| judge.policy().ssh.is_empty())
        {
            return;
        }
        let both = [own, base];
        let all = |_: &Endpoint<'_>| Answer::Yes;
        let sources = Doors::distinct(&both, Side::Source, self.from, &all, false);
        let targets = Doors::distinct(&both, Side::Destination, self.to, &all, false);
        let mut accounts: Vec<String> = Vec::new();
        for account in own.accounts.iter().chain(&base.accounts) {
            if !accounts.contains(account) {
                accounts.push(account.clone());
            }
        }
        let users = ["autogroup:nonroot".to_owned(), "root".to_owned()];
        let accounts = Accounts::new(&users, &accounts);
        let mut given: Vec<[Option<&str>; 2]> = vec![[None, None]];
        for posture in own.postures.iter().chain(&base.postures) {
            given.append(&mut self.of_both(posture));
        }
        for target in &targets {
            for postures in &given {
                let opened = [
                    own.of(target.end, postures[0]),
                    base.of(target.end, postures[1]),
                ];
                for source in &sources {
                    for account in accounts.of(source.end) {
                        let answers = [0, 1].map(|at| match (doors.get(at), opened.get(at)) {
                            (Some(doors), Some(opened)) => {
                                doors.admits(opened, source.end, target.end, account)
                            }
                            _ => Answer::No,
                        });
                        self.note(
                            finding,
                            &doors,
                            (source, target, account),
                            answers,
                            postures,
                        );
                        if finding.counterexample.is_some() {
                            return;
                        }
                    }
                }
            }
        }
    }

    /// Whether both policies may differ about a login, or agree, for some way in which the open questions about two ends may be
    /// answered: for a source that meets one of these postures, or none.
    fn may_be(
        &self,
        (source, target, account): (&Source<'_>, &Source<'_>, &str),
        given: &[[Option<&str>; 2]],
        differ: bool,
    ) -> bool {
        if differ && self.hangs_on_groups(source.end, target.end) {
            return true;
        }
        let doors = self.judges.map(Doors::new);
        let marks = |side, end: &Endpoint<'_>, run: &mut Vec<u64>| {
            for doors in &doors {
                doors.number(side, end, run);
                doors.number_login(end, &Accounts::one(account), run);
            }
        };
        let is_one = source.is_alone && self.settling.is_one(source.end, target.end);
        let ends = (source.end, target.end, is_one);
        self.settling.any(ends, &marks, &mut |judges, pairs| {
            let [own, base] = judges else {
                return true;
            };
            let (own, base) = (Doors::new(own), Doors::new(base));
            let differs = |from: &Endpoint<'_>, to: &Endpoint<'_>| {
                given.iter().any(|[one, other]| {
                    let own = own.admits(&own.of(to, *one), from, to, account);
                    let base = base.admits(&base.of(to, *other), from, to, account);
                    own > base || self.same && base > own
                })
            };
            let mut pairs = pairs.iter().filter(|(from, to)| are_devices(from, to));
            pairs.any(|(from, to)| differs(from, to) == differ)
        })
    }

    fn note(
        &self,
        finding: &mut Finding,
        doors: &[Doors<'_, '_>; 2],
        (source, target, account): (&Source<'_>, &Source<'_>, &str),
        [own, base]: [Answer; 2],
        given: &[Option<&str>; 2],
    ) {
        let is_open = self.settling.is_open(source.end) || self.settling.is_open(target.end);
        // Where both leave it open, it may be allowed under only one.
        let is_more = |one: Answer, other: Answer| match is_open {
            true => one != Answer::No && other != Answer::Yes,
            false => one > other,
        };
        let (more, less) = (is_more(own, base), self.same && is_more(base, own));
        if !more && !less {
            return;
        }
        let login = (source, target, account);
        let is_plain = *given == [None, None] && own != Answer::Unknown && base != Answer::Unknown;
        let is_sure = is_plain && !(is_open && self.may_be(login, &[*given], false));
        if is_sure {
            self.name_login(finding, doors, login, more);
        } else if finding.why.is_none() && (!is_open || self.may_be(login, &[*given], true)) {
            finding.why = Some(logins::why_open(source.name, target.name, account));
        }
    }

    /// Records a login that one policy allows and the other does not, by the names that say most.
    fn name_login(
        &self,
        finding: &mut Finding,
        doors: &[Doors<'_, '_>; 2],
        (source, target, account): (&Source<'_>, &Source<'_>, &str),
        is_more: bool,
    ) {
        let is_so = |from: &Endpoint<'_>, to: &Endpoint<'_>| {
            let admits = |doors: &Doors<'_, '_>| {
                doors.admits(&doors.of(to, None), from, to, account) == Answer::Yes
            };
            doors.each_ref().map(admits) == [is_more, !is_more]
        };
        let [called, _] = &self.called;
        let [own, _] = doors;
        let from = called.of(Side::Source, source.name, source.end, &|from| {
            is_so(from, target.end)
        });
        let to = called.of(Side::Destination, target.name, target.end, &|to| {
            is_so(source.end, to)
        });
        let (Some(from), Some(to)) = (from.first(), to.first()) else {
            return;
        };
        finding.because = match is_more {
            true => own.because(source.end, target.end, account, Answer::Yes),
            false => Vec::new(),
        };
        finding.note = (!is_more).then(|| ONLY_THE_OTHER.to_owned());
        let rule = finding.because.first().copied();
        finding.counterexample = Some(logins::counterexample(from, to, account, rule));
    }
}
