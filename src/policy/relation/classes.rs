//! Endpoints that the same selectors include in both readings are one class, and are evaluated once.
//! Must not live here: what they reach (reach.rs), their names (naming.rs).

use std::cell::OnceCell;

use super::atoms::{Atom, Atoms};
use super::cuts::{V4, V6};
use super::ids::{AtomId, ClassId, Id, IdTable};
use super::name::Name;
use super::postures::may_be_device;
use super::reading::Reading;
use crate::cidr::AddressSet;
use crate::hujson::Span;
use crate::policy::language::selector::{Kind, Selector};
use crate::policy::tailnet::about::of_family as addresses_of;
use crate::policy::tailnet::addresses::tailnet;
use crate::policy::tailnet::endpoint::{Endpoint, Place};
use crate::policy::tailnet::identity::{Answer, Identity};
use crate::policy::tailnet::net::Net;
use crate::policy::tailnet::party::{Side, is_outsider};
use crate::tables::index::{Index, Runs};
use crate::tables::sort;

/// Selectors, by their indices, that include an endpoint or may do so.
pub type Takers = Vec<(usize, Answer)>;

/// One class.
#[derive(Clone, Debug)]
pub struct Class<'p> {
    /// One of its endpoints, in each reading.
    pub endpoints: [Option<Endpoint<'p>>; 2],
    /// The selectors that include it, in each reading.
    pub takers: [Takers; 2],
    /// Those that may include it, where the text alone does not say and a name of their own means whom they mean; of a machine that no network
    /// has, the sets of addresses that hold its address together.
    pub perhaps: [Takers; 2],
    /// The families of its machines.
    pub family: u8,
    /// Its endpoints, ascending.
    pub atoms: Vec<AtomId>,
}

impl Class<'_> {
    /// Whether its user is another in the later reading.
    pub fn is_moved(&self) -> bool {
        is_moved(&self.endpoints)
    }
}

/// Whether an endpoint has another user in the later reading.
fn is_moved(endpoints: &[Option<Endpoint<'_>>; 2]) -> bool {
    let [before, after] = endpoints.each_ref().map(Option::as_ref);
    let users = before.zip(after);
    users.is_some_and(|(before, after)| before.identity.user() != after.identity.user())
}

/// The classes of one side.
#[derive(Clone, Default)]
pub struct Classes<'p> {
    /// The classes.
    pub list: IdTable<ClassId, Class<'p>>,
    /// The class of each endpoint, once asked.
    of_atom: OnceCell<IdTable<AtomId, ClassId>>,
}

impl<'p> Classes<'p> {
    /// The classes of some endpoints, under one reading or two.
    #[inline(never)]
    pub fn new(readings: &[Reading<'p>], side: Side, atoms: &Atoms<'p>) -> Classes<'p> {
        let asked = readings.iter().filter(|_| atoms.is_asked);
        let others = readings.iter().filter(|_| !atoms.is_asked);
        let mut forming = Forming {
            readings,
            side,
            is_asked: atoms.is_asked,
            owned: atoms.by_owner || readings.iter().any(Reading::has_own),
            names_own: side == Side::Source && readings.iter().any(Reading::names_own),
            by_login: side == Side::Source
                && readings
                    .iter()
                    .any(|it| it.ssh.is_some_and(|ssh| ssh.has_own_names())),
            owners: Index::default(),
            postures: match side {
                Side::Source => readings.iter().map(Reading::postures).collect(),
                Side::Destination => vec![Vec::new(); readings.len()],
            },
            of_family: readings.iter().map(|it| of_family(it, side)).collect(),
            together: others.map(|it| together(it, side)).collect(),
            meeting: asked.map(|it| meeting(it, side)).collect(),
        };
        let mut runs = Runs::default();
        let mut known = Runs::default();
        let mut classes = Classes::default();
        // The addresses of one machine that are treated alike are one endpoint of several families.
        let mut formed: Vec<Formed> = Vec::new();
        for (id, atom) in atoms.list.iter() {
            let (run, takers) = forming.run(atom);
            formed.push(Formed {
                atom: id,
                machine: atom.machine,
                run: runs.place(&run),
                family: atom.family,
                takers,
            });
        }
        join_families(&mut formed);
        for it in formed {
            let (id, family, [takers, perhaps]) = (it.atom, it.family, it.takers);
            let place = known.place(&[it.run as u64, u64::from(family)]);
            if place == classes.list.len() {
                let endpoints = atoms.list.get(id).map(|atom| atom.endpoints.clone());
                classes.list.push(Class {
                    endpoints: endpoints.unwrap_or_default(),
                    takers,
                    perhaps,
                    family,
                    atoms: Vec::new(),
                });
            }
            if let Some(class) = classes.list.get_mut(ClassId::at(place)) {
                class.atoms.push(id);
            }
        }
        classes
    }

    /// The classes of a name, ascending.
    pub fn of(&self, name: Option<&Name>) -> Vec<ClassId> {
        let of_atom = self.of_atom.get_or_init(|| {
            let count = self.list.iter().map(|(_, class)| class.atoms.len()).sum();
            let mut of_atom = IdTable::filled(count, ClassId::at(0));
            for (id, class) in self.list.iter() {
                for atom in &class.atoms {
                    if let Some(own) = of_atom.get_mut(*atom) {
                        *own = id;
                    }
                }
            }
            of_atom
        });
        let atoms = name.map_or(&[][..], |name| &name.atoms);
        let classes = atoms.iter().filter_map(|atom| of_atom.get(*atom));
        let mut classes: Vec<ClassId> = classes.copied().collect();
        sort::sort(&mut classes);
        classes.dedup();
        classes
    }

    /// The same classes by the selectors that certainly include them.
    pub fn certain(&self) -> Classes<'p> {
        let mut classes = self.clone();
        for id in self.list.ids() {
            let class = classes.list.get_mut(id);
            for takers in class.into_iter().flat_map(|class| &mut class.takers) {
                takers.retain(|(_, answer)| *answer == Answer::Yes);
            }
        }
        classes
    }

    /// The classes that each selector of a reading includes, by its index.
    pub fn taken(&self, reading: usize, selectors: usize) -> Vec<Vec<(ClassId, Answer)>> {
        let mut taken = vec![Vec::new(); selectors];
        for (id, class) in self.list.iter() {
            for &(selector, answer) in class.takers.get(reading).into_iter().flatten() {
                if let Some(taken) = taken.get_mut(selector) {
                    taken.push((id, answer));
                }
            }
        }
        taken
    }

    /// Some of them by their user in a reading; those without one under an empty name.
    pub fn by_user<'c>(
        &self,
        reading: usize,
        classes: impl Iterator<Item = &'c (ClassId, Answer)>,
    ) -> Vec<(&'p str, ClassId, Answer)> {
        let mut by_user = Vec::new();
        for &(id, answer) in classes {
            let class = self.list.get(id);
            let end = class.and_then(|class| class.endpoints.get(reading)?.as_ref());
            let user = end.and_then(|end| end.identity.user());
            by_user.push((user.unwrap_or_default(), id, answer));
        }
        sort::sort(&mut by_user);
        by_user
    }
}

/// For each family, the sets of addresses that hold all of its part of the tailnet.
fn of_family(reading: &Reading<'_>, side: Side) -> [Takers; 2] {
    let named = reading.named(side);
    [V4, V6].map(|family| named.numeric_of_family(reading.network, family))
}

/// Where devices are known, for each family the sets of addresses that hold some of its part of the tailnet, if they hold all of it together.
fn together(reading: &Reading<'_>, side: Side) -> [Takers; 2] {
    if reading.is_ssh || !reading.knows_devices() {
        return Default::default();
    }
    let (named, network) = (reading.named(side), reading.network);
    [V4, V6].map(|family| {
        let meeting = named.meeting_family(network, family);
        let sets = meeting.iter().filter_map(|at| named.selectors.get(*at));
        let sets = sets.filter_map(|selector| network.set_of(selector));
        let mut ranges = Vec::new();
        sets.for_each(|set| ranges.extend(set.ranges()));
        let all: AddressSet = ranges.into_iter().collect();
        match all.covers(&addresses_of(family)) {
            true => meeting
                .into_iter()
                .map(|at| (at, Answer::Unknown))
                .collect(),
            false => Takers::new(),
        }
    })
}

/// For each combination of families, the sets of addresses that hold some of the tailnet's addresses of it.
fn meeting(reading: &Reading<'_>, side: Side) -> Vec<Vec<usize>> {
    let named = reading.named(side);
    let all = (0..=V4 | V6).map(|family| named.meeting_family(reading.network, family));
    all.collect()
}

/// An endpoint before it is put into a class.
struct Formed {
    atom: AtomId,
    machine: usize,
    /// Equal for endpoints that are treated alike.
    run: usize,
    family: u8,
    /// The selectors that include it in each reading, and those that may.
    takers: [[Takers; 2]; 2],
}

/// Gives all endpoints of one machine that are treated alike the families of all of them.
fn join_families(formed: &mut [Formed]) {
    for machine in formed.chunk_by_mut(|a, b| a.machine == b.machine) {
        for at in 0..machine.len() {
            let Some(run) = machine.get(at).map(|it| it.run) else {
                continue;
            };
            let own = machine.iter().filter(|it| it.run == run);
            let all = own.fold(0, |all, it| all | it.family);
            if let Some(it) = machine.get_mut(at) {
                it.family = all;
            }
        }
    }
}

struct Forming<'a, 'p> {
    readings: &'a [Reading<'p>],
    side: Side,
    /// Whether the endpoints are those of one question.
    is_asked: bool,
    /// Whether some rule is about the source's own devices.
    owned: bool,
    /// Whether a destination means the source's own devices.
    names_own: bool,
    /// Whether some rule opens another account to each user.
    by_login: bool,
    owners: Index<'p>,
    /// For each reading, the postures that rules need of their sources.
    postures: Vec<Vec<&'p str>>,
    /// For each reading and family, the sets of addresses that hold all of the family's part of the tailnet.
    of_family: Vec<[Takers; 2]>,
    /// For each reading and family, those that hold all of it together; of no question.
    together: Vec<[Takers; 2]>,
    /// For each reading and combination of families, those that hold some of it; of a question alone.
    meeting: Vec<Vec<Vec<usize>>>,
}

impl<'p> Forming<'_, 'p> {
    /// Numbers that are equal for endpoints that are treated alike, and the selectors that include them.
    fn run(&mut self, atom: &Atom<'p>) -> (Vec<u64>, [[Takers; 2]; 2]) {
        let mut run = Vec::with_capacity(RUN);
        let [mut takers, mut perhaps] = <[[Takers; 2]; 2]>::default();
        let readings = self.readings.iter().enumerate();
        let places = takers.iter_mut().zip(&mut perhaps);
        for (((at, reading), end), (takers, perhaps)) in readings.zip(&atom.endpoints).zip(places) {
            let Some(end) = end else {
                run.push(u64::MAX - 3);
                continue;
            };
            let is_owned = self.owned || self.by_login || is_moved(&atom.endpoints);
            run.push(owner_of(end, is_owned, &mut self.owners));
            if self.names_own {
                run.push(end.identity.shares_user(Identity::OWN) as u64);
                run.push(u64::from(end.identity.user().is_some()));
            }
            *takers = self.takers((at, reading), atom, end);
            add(takers, &mut run);
            if !self.is_asked {
                *perhaps = self.perhaps((at, reading), atom, end);
                add(perhaps, &mut run);
            }
            self.mark_postures((at, reading), end, &mut run);
            if self.side == Side::Source && reading.allows_all() {
                run.push(SEPARATOR);
                run.push(reading.network.is_in_tailnet(end) as u64);
            }
            if self.side == Side::Source && reading.judge.has_via && !reading.is_ssh {
                // The way depends on the other addresses of the device, too.
                let about = &reading.judge.about;
                add(&about.takers_of_sender(reading.network, end), &mut run);
            }
            if let (true, Side::Source, Some(device)) = (self.is_asked, self.side, end.device) {
                let attributes = &reading.network.attributes;
                run.push(SEPARATOR);
                for posture in reading.network.policy.postures.names() {
                    run.push(attributes.posture_of(device, posture) as u64);
                }
            }
            let is_routed = self.side == Side::Destination
                && end.device.is_none()
                && reading.knows_devices()
                && !reading.is_ssh;
            if let (true, Place::At(address)) = (is_routed, &end.place) {
                run.push(SEPARATOR);
                Net::from(*address).number(&mut run);
            }
        }
        (run, [takers, perhaps])
    }

    /// The selectors that may include an endpoint whom another name means; those that hold the address of a machine that there is not
    /// together.
    fn perhaps(
        &self,
        (at, reading): (usize, &Reading<'p>),
        atom: &Atom<'p>,
        end: &Endpoint<'p>,
    ) -> Takers {
        if !reading.knows_devices() {
            let named = reading.named(self.side);
            let mut perhaps = named.takers(reading.network, &whoever(atom, end));
            perhaps.retain(|(_, answer)| *answer == Answer::Unknown);
            return perhaps;
        }
        if !is_some_machine(end) {
            return Takers::new();
        }
        let of_family = self.together.get(at).into_iter().flatten();
        let mut own = of_family
            .zip([V4, V6])
            .filter(|(_, it)| atom.family & it != 0);
        own.next().map(|(own, _)| own.clone()).unwrap_or_default()
    }

    /// Which postures a source has, where rules need any.
    fn mark_postures(
        &self,
        (at, reading): (usize, &Reading<'p>),
        end: &Endpoint<'p>,
        run: &mut Vec<u64>,
    ) {
        let postures = self.postures.get(at).map_or(&[][..], Vec::as_slice);
        if postures.is_empty() {
            return;
        }
        run.push(SEPARATOR);
        run.push(u64::from(may_be_device(end)));
        let attributes = &reading.network.attributes;
        if let Some(device) = end.device {
            run.extend(
                postures
                    .iter()
                    .map(|it| attributes.posture_of(device, it) as u64),
            );
        }
    }

    /// The selectors that include an endpoint. A machine that is assumed has some address of each family: a set that holds all
    /// of a family includes it; what opens less of it is reported of the addresses.
    fn takers(
        &self,
        (at, reading): (usize, &Reading<'p>),
        atom: &Atom<'p>,
        end: &Endpoint<'p>,
    ) -> Takers {
        let named = reading.named(self.side);
        // Nobody logs in from a device whose user is not known.
        if reading.is_ssh && self.side == Side::Source && end.identity == Identity::Unowned {
            return Vec::new();
        }
        let mut found = named.takers(reading.network, end);
        if is_some_machine(end) && !reading.is_ssh && !reading.knows_devices() {
            let of_family = self.of_family.get(at).into_iter().flatten();
            let mut own: Option<Takers> = None;
            for (takers, family) in of_family.zip([V4, V6]) {
                if atom.family & family != 0 {
                    let all = own.get_or_insert_with(|| takers.clone());
                    all.retain(|taker| takers.contains(taker));
                }
            }
            let own = own.unwrap_or_default();
            // What holds a part of a family may hold its address.
            let meeting = self.meeting.get(at);
            let meeting = meeting.and_then(|own| own.get(usize::from(atom.family)));
            let may_hold = |selector: usize| {
                let is_certain = own.iter().any(|(known, _)| *known == selector);
                self.is_asked
                    && !is_certain
                    && meeting.is_some_and(|own| own.binary_search(&selector).is_ok())
            };
            found.retain(|(at, _)| !named.is_numeric(*at) || may_hold(*at));
            found.iter_mut().for_each(|(at, answer)| {
                if named.is_numeric(*at) {
                    *answer = Answer::Unknown;
                }
            });
            found.extend(own);
            sort::sort(&mut found);
        }
        if self.is_asked {
            return found;
        }
        // By name alone, whoever may be meant by a wider name is not: that name has a machine of its own.
        let is_name = match end.identity {
            // Who is in a group of unknown members is not known where the group is defined either.
            Identity::Some(Kind::Group, _) => false,
            Identity::Some(_, name) => reading.is_name_alone(&Selector::new(name, NOWHERE)),
            identity => identity == Identity::Nobody,
        };
        if is_name || !reading.knows_devices() {
            found.retain(|(_, answer)| *answer == Answer::Yes);
        }
        found
    }
}

/// Whether a machine of the tailnet is assumed.
fn is_some_machine(end: &Endpoint<'_>) -> bool {
    end.place == Place::Supposed && !is_outsider(end.identity)
}

/// An endpoint as whoever it may be: a single address of the tailnet may be that of any device.
fn whoever<'p>(atom: &Atom<'p>, end: &Endpoint<'p>) -> Endpoint<'p> {
    let mut end = end.clone();
    let is_single = atom.range.is_some_and(|it| it.first() == it.last());
    if is_single
        && end.identity == Identity::Nobody
        && end.address().is_some_and(|it| tailnet().contains(it))
    {
        end.identity = Identity::Unknown;
    }
    end
}

/// Where a selector stands that no document has.
const NOWHERE: Span = Span { start: 0, end: 0 };

/// Room for the numbers of most endpoints.
const RUN: usize = 16;

/// Stands before each list of numbers, so that none is taken for a part of another.
const SEPARATOR: u64 = u64::MAX;

fn add(takers: &[(usize, Answer)], run: &mut Vec<u64>) {
    run.push(SEPARATOR);
    for (selector, answer) in takers {
        run.push((*selector as u64) << 1 | u64::from(*answer == Answer::Yes));
    }
}

/// The user of an endpoint, where a rule depends on it; one number in any case, so that none is taken for a selector.
fn owner_of<'p>(end: &Endpoint<'p>, owned: bool, owners: &mut Index<'p>) -> u64 {
    match end.identity.role_aside() {
        Identity::User(login) if owned => {
            let next = owners.len();
            1 + owners.place(login, next) as u64
        }
        Identity::OWN => u64::MAX - 1,
        // One that may belong to any user may share one with any other.
        Identity::Unknown | Identity::Some(..) if owned => u64::MAX - 2,
        _ => 0,
    }
}
