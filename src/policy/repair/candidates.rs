//! Texts that may allow a flow: a rule of its own, a rule that nearly allows it with one more name or port, a group with one more member.
//! Must not live here: whether they do allow it, and what else they open (`repair`).

use crate::hujson::quote;
use crate::policy::edit::{self, EditError, ListSection, list_of};
use crate::policy::explanation::NearMiss;
use crate::policy::findings::words::joined;
use crate::policy::language::rule::{RuleRef, Section};
use crate::policy::language::selector::{Kind, Selector};
use crate::policy::question::{Flow, Subject};
use crate::policy::resolve::{Names, Resolved};
use crate::policy::tailnet::context::DeviceIndex;
use crate::policy::tailnet::flow::Judge;
use crate::policy::verdict::Error;

/// How many of the rules that nearly allow a flow are tried, nearest first.
const NEAREST: usize = 5;

/// A text that may allow it.
pub(super) struct Attempt {
    /// What was done, in words.
    pub title: String,
    /// The whole text.
    pub text: String,
    /// How many addresses the names have that were written.
    pub width: usize,
}

/// How a rule can write one side of a flow: selectors that go together.
struct Spelled {
    names: Vec<String>,
    /// How many addresses these have, as far as they are known.
    width: usize,
}

/// A flow that is to be allowed, as rules can write it.
pub(super) struct Wanted<'a, 'p> {
    judge: &'a Judge<'p>,
    flow: &'a Flow,
    /// Its source and its destination.
    sides: [Vec<Spelled>; 2],
}

impl<'a, 'p> Wanted<'a, 'p> {
    /// The flow as rules can write it.
    ///
    /// # Errors
    /// [`Error::Argument`] for a name that leads nowhere.
    pub fn new(judge: &'a Judge<'p>, flow: &'a Flow) -> Result<Wanted<'a, 'p>, Error> {
        let names = Names::of(judge.policy(), judge.network.context);
        let spelled = |subject: &Subject| spellings(judge, &subject.resolve(&names)?);
        let sides = [spelled(&flow.from)?, spelled(&flow.to)?];
        Ok(Wanted { judge, flow, sides })
    }

    /// All texts that may allow it; those that cannot be written are left out.
    pub fn candidates(&self, near: &[NearMiss]) -> Vec<Attempt> {
        let mut found = Vec::new();
        for miss in near.iter().take(NEAREST) {
            self.extend_rule(miss.rule, &mut found);
        }
        let [sources, destinations] = &self.sides;
        for from in sources {
            for to in destinations {
                found.extend(self.new_rule(from, to));
            }
        }
        found
    }

    /// A rule of its own, by the narrowest names.
    pub fn rule(&self) -> Option<Attempt> {
        let [sources, destinations] = &self.sides;
        self.new_rule(sources.first()?, destinations.first()?)
    }

    fn text(&self) -> &'p str {
        self.judge.policy().document.text()
    }

    /// A rule that nearly allows it, with one thing more.
    fn extend_rule(&self, rule: RuleRef, found: &mut Vec<Attempt>) {
        let section = section_of(rule.section);
        let line = ["the rule in line ", &rule.line.to_string()].concat();
        let put = |key: &str, names: &[String]| {
            edit::extend(self.text(), (section, rule.index), key, names)
        };
        let [sources, destinations] = &self.sides;
        for from in sources {
            let title = [
                "Add ",
                &from.names.join(" and "),
                " to the sources of ",
                &line,
            ];
            found.extend(candidate(
                title.concat(),
                put("src", &from.names),
                from.width,
            ));
            self.join_groups(rule, from, found);
        }
        let is_ssh = rule.section == Section::Ssh;
        if let Some(user) = self.flow.user.as_ref().filter(|_| is_ssh) {
            let title = ["Add the account ", user, " to ", &line].concat();
            let users = std::slice::from_ref(user);
            found.extend(candidate(title, put("users", users), 0));
            return;
        }
        if rule.section == Section::Grants {
            let ip = self.ip();
            let title = ["Open ", &ip, " in ", &line].concat();
            found.extend(candidate(title, put("ip", &[ip]), 0));
            return;
        }
        for to in destinations {
            let ports = self.with_port(&to.names);
            let title = ["Open ", &ports.join(" and "), " in ", &line].concat();
            found.extend(candidate(title, put("dst", &ports), to.width));
        }
    }

    /// The source as one more member of each group among a rule's sources.
    fn join_groups(&self, rule: RuleRef, from: &Spelled, found: &mut Vec<Attempt>) {
        let [login] = &from.names[..] else { return };
        if Kind::of(login) != Kind::User {
            return;
        }
        let policy = self.judge.policy();
        for source in self.sources_of(rule) {
            let Some(members) = policy.groups.get(source.name()) else {
                continue;
            };
            let mut members: Vec<String> =
                members.iter().map(|one| one.text().to_owned()).collect();
            members.push(login.clone());
            let text = edit::set_group(self.text(), source.name(), Some(&members));
            let title = ["Add ", login, " to ", source.name()].concat();
            found.extend(candidate(title, text, from.width));
        }
    }

    fn sources_of(&self, rule: RuleRef) -> &'p [Selector<'p>] {
        let policy = self.judge.policy();
        if rule.section == Section::Ssh {
            return policy.ssh.get(rule.index).map_or(&[], |rule| &rule.sources);
        }
        let is_it = |one: &RuleRef| (one.section, one.index) == (rule.section, rule.index);
        let mut rules = policy.rules();
        let found = rules.find(|one| is_it(&one.reference(rule.line)));
        found.map_or(&[], |rule| rule.sources)
    }

    fn new_rule(&self, from: &Spelled, to: &Spelled) -> Option<Attempt> {
        let policy = self.judge.policy();
        let sources = list_of(&from.names);
        let is_grants = policy.grants.is_some() && policy.acls.is_none();
        let (section, entry) = match &self.flow.user {
            Some(user) => {
                let mut account = String::new();
                quote(user, &mut account);
                let (start, to) = (r#"{"action": "accept", "src": "#, list_of(&to.names));
                let entry = [
                    start,
                    &sources,
                    r#", "dst": "#,
                    &to,
                    r#", "users": ["#,
                    &account,
                    "]}",
                ];
                (ListSection::Ssh, entry.concat())
            }
            None if is_grants => {
                let ip = list_of(&[self.ip()]);
                let to = list_of(&to.names);
                let entry = [
                    r#"{"src": "#,
                    &sources,
                    r#", "dst": "#,
                    &to,
                    r#", "ip": "#,
                    &ip,
                    "}",
                ];
                (ListSection::Grants, entry.concat())
            }
            None => {
                let proto = self.flow.protocol.to_string();
                let start = [
                    r#"{"action": "accept", "proto": ""#,
                    &proto,
                    r#"", "src": "#,
                ]
                .concat();
                let to = list_of(&self.with_port(&to.names));
                (
                    ListSection::Acls,
                    [&start, &sources, r#", "dst": "#, &to, "}"].concat(),
                )
            }
        };
        let text = edit::add(self.text(), section, &entry, None);
        candidate(self.rule_title(from, to), text, from.width + to.width)
    }

    fn rule_title(&self, from: &Spelled, to: &Spelled) -> String {
        let (from, names) = (from.names.join(" and "), to.names.join(" and "));
        match &self.flow.user {
            Some(user) => joined(&["Add an ssh rule: ", &from, " to ", &names, " as ", user]),
            None => {
                let to = self.with_port(&to.names).join(" and ");
                let proto = self.flow.protocol.to_string();
                joined(&["Add a rule: ", &from, " to ", &to, " by ", &proto])
            }
        }
    }

    /// The port as an acl writes it behind a destination.
    fn with_port(&self, names: &[String]) -> Vec<String> {
        let port = self.port();
        let with = |name: &String| match name.contains(':') && Kind::of(name).is_numeric() {
            true => ["[", name, "]:", &port].concat(),
            false => [name, ":", &port].concat(),
        };
        names.iter().map(with).collect()
    }

    /// Protocol and port as a grant writes them.
    fn ip(&self) -> String {
        joined(&[&self.flow.protocol.to_string(), ":", &self.port()])
    }

    fn port(&self) -> String {
        match self.flow.port {
            0 => "*".to_owned(),
            port => port.to_string(),
        }
    }
}

fn candidate(title: String, text: Result<String, EditError>, width: usize) -> Option<Attempt> {
    let text = text.ok()?;
    Some(Attempt { title, text, width })
}

fn section_of(section: Section) -> ListSection {
    match section {
        Section::Acls => ListSection::Acls,
        Section::Grants => ListSection::Grants,
        Section::Ssh => ListSection::Ssh,
    }
}

/// How rules can write what a name means, the narrowest first.
fn spellings(judge: &Judge<'_>, asked: &Resolved) -> Result<Vec<Spelled>, Error> {
    match asked {
        Resolved::Selector { name, .. } => Ok(vec![named(judge, name.text.clone())]),
        Resolved::Device(device) => Ok(spellings_of(judge, *device)),
        Resolved::Unresolved { name, .. } => {
            let hint = asked.hint().unwrap_or("neither text nor context has it");
            Err(Error::Argument(joined(&["`", &name.text, "`: ", hint])))
        }
    }
}

/// A device by its addresses, by its user, by each of its tags.
fn spellings_of(judge: &Judge<'_>, device: DeviceIndex) -> Vec<Spelled> {
    let Some(known) = device.of(judge.network.devices) else {
        return Vec::new();
    };
    let names: Vec<String> = known.addresses.iter().map(ToString::to_string).collect();
    let width = names.len();
    let owners = known.tags().iter().map(String::as_str).chain(known.user());
    let mut all = vec![Spelled { names, width }];
    all.extend(owners.map(|owner| named(judge, owner.to_owned())));
    all
}

fn named(judge: &Judge<'_>, name: String) -> Spelled {
    let endpoints = judge
        .network
        .endpoints(&Selector::new(&name, crate::policy::resolve::NOWHERE));
    let width = endpoints.map_or(1, |endpoints| endpoints.len());
    let names = vec![name];
    Spelled { names, width }
}
