//! What a matrix is asked for, and who its rows and columns then are.
//! Must not live here: the cells (`access`), what the names of other questions mean (`resolve`).

use serde::Serialize;

use super::findings::words::{did_you_mean, joined};
use super::language::selector::{Kind, trimmed};
use super::resolve::Names;
use super::tailnet::flow::Judge;
use super::tailnet::parties::{Listed, Parties, PartyKind};
use super::tailnet::party::Side;
use super::verdict::Error;

/// What the rows and columns are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// Everything that the document names or defines, and the users of the context.
    #[default]
    Name,
    /// The devices of the context.
    Device,
}

/// What a matrix is asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AccessOptions {
    /// What the rows and columns are.
    pub by: By,
    /// Only the rows of these names; all of them if absent. A group means its members, a user or tag its devices.
    pub from: Option<Vec<String>>,
    /// Only the columns of these names, in the same way.
    pub to: Option<Vec<String>>,
}

impl From<By> for AccessOptions {
    fn from(by: By) -> AccessOptions {
        let (from, to) = (None, None);
        AccessOptions { by, from, to }
    }
}

impl AccessOptions {
    /// The rows or columns that are asked for, of network rules or of ssh rules: those of a text, then those that only the one has with which
    /// it is compared, if it is.
    ///
    /// # Errors
    /// [`Error::Argument`] for rows by device without devices, a name that no row has, and one that several devices have.
    pub(super) fn lines<'p>(
        &self,
        judges: &[&Judge<'p>],
        side: Side,
        names: &Names<'_>,
        is_ssh: bool,
    ) -> Result<Vec<Listed<'p>>, Error> {
        let mut parties = self.parties(judges, side, names, is_ssh)?;
        let (asked, what) = match side {
            Side::Source => (&self.from, "source"),
            Side::Destination => (&self.to, "destination"),
        };
        if let Some(asked) = asked {
            let wanted = self.wanted(asked, judges, (what, &parties), names)?;
            let mut wanted = wanted.into_iter();
            parties.retain(|_| wanted.next() == Some(true));
        }
        Ok(parties)
    }

    /// Everyone on one side.
    fn parties<'p>(
        &self,
        judges: &[&Judge<'p>],
        side: Side,
        names: &Names<'_>,
        is_ssh: bool,
    ) -> Result<Vec<Listed<'p>>, Error> {
        let mut parties = Parties::default();
        let mut networks = judges.iter().map(|judge| &judge.network);
        match self.by {
            By::Name => {
                for network in networks {
                    parties.add_names(network, side, is_ssh);
                    parties.of_base();
                }
            }
            By::Device => {
                let known = networks.next().filter(|it| it.context.devices.is_some());
                let Some(network) = known else {
                    let message = "access by device needs a context with `devices`";
                    return Err(Error::Argument(message.to_owned()));
                };
                let behind = side == Side::Destination && !is_ssh;
                parties.add_devices(network, names.devices(), behind);
            }
        }
        Ok(parties.sorted())
    }

    /// For each party, whether it is asked for.
    fn wanted<'p>(
        &self,
        asked: &[String],
        judges: &[&Judge<'p>],
        (side, parties): (&str, &[Listed<'p>]),
        names: &Names<'_>,
    ) -> Result<Vec<bool>, Error> {
        let called = |party| judges.iter().flat_map(move |judge| judge.names_of(party));
        let called: Vec<Vec<_>> = parties.iter().map(|it| called(it).collect()).collect();
        let mut wanted = vec![false; parties.len()];
        for name in asked.iter().map(|name| trimmed(name)) {
            let id = self.device_called(name, names)?;
            let mut is_found = judges.iter().any(|judge| self.may_be_empty(name, judge));
            for ((listed, called), wanted) in parties.iter().zip(&called).zip(&mut wanted) {
                let party = &listed.party;
                let is_device =
                    id.is_some() && party.kind == PartyKind::Device && party.id.as_deref() == id;
                if is_device || party.name == name || called.iter().any(|own| own == name) {
                    (*wanted, is_found) = (true, true);
                }
            }
            if !is_found {
                return Err(self.unknown(name, (side, parties), names));
            }
        }
        Ok(wanted)
    }

    /// The id of the device of this name, if rows are devices.
    fn device_called<'a>(&self, name: &str, names: &Names<'a>) -> Result<Option<&'a str>, Error> {
        if self.by == By::Name {
            return Ok(None);
        }
        names.device_id(name).map_err(Error::Argument)
    }

    /// Whether a name that no row has is right all the same: a group that is empty, or who has no device.
    fn may_be_empty(&self, name: &str, judge: &Judge<'_>) -> bool {
        let network = &judge.network;
        match Kind::of(name) {
            Kind::Group => network.policy.groups.contains(name),
            Kind::Tag => network.policy.tag_owners.contains(name),
            Kind::User => self.by == By::Device && network.knows_user(name) == Some(true),
            _ => false,
        }
    }

    fn unknown(
        &self,
        name: &str,
        (side, parties): (&str, &[Listed<'_>]),
        names: &Names<'_>,
    ) -> Error {
        let mut message = joined(&["no ", side, " of the matrix is called `", name, "`"]);
        let is_device = self.by == By::Name && matches!(names.device_id(name), Ok(Some(_)));
        let mut known = parties.iter().map(|listed| listed.party.name.as_str());
        let hint = match is_device {
            true => Some("a device has its place in the matrix by device".to_owned()),
            false => did_you_mean(name, &mut known).or_else(|| {
                let meant = names.plain(name).ok()?;
                meant.hint().map(str::to_owned)
            }),
        };
        if let Some(hint) = hint {
            message.push_str("; ");
            message.push_str(&hint);
        }
        Error::Argument(message)
    }
}
