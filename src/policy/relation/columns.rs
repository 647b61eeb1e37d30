//! The columns of a matrix by the classes of their endpoints: those of the same classes are evaluated once.
//! Must not live here: what is open at them (matrix.rs), what changes at them (changed.rs).

use super::classes::Classes;
use super::ids::{ClassId, IdTable};
use super::line::{Line, OfClass};
use crate::policy::tailnet::identity::{Identity, is_of_users};
use crate::tables::index::Runs;
use crate::tables::sort;

/// Finds the devices of a user as destinations.
pub type OwnLine<'r> = Box<dyn Fn(&str) -> Line + 'r>;

/// The columns of a matrix.
pub struct Columns<'r> {
    /// All of them.
    pub lines: Vec<Line>,
    /// Those for the source's own devices.
    pub own: Vec<usize>,
    /// The columns of each distinct list of classes.
    groups: Vec<Vec<usize>>,
    /// The lists that each class is in, with its families there.
    groups_of: IdTable<ClassId, Vec<(usize, u8)>>,
    own_line: OwnLine<'r>,
}

impl<'r> Columns<'r> {
    /// Columns whose endpoints are of so many classes.
    pub fn new(lines: Vec<Line>, classes: usize, own_line: OwnLine<'r>) -> Columns<'r> {
        let mut columns = Columns {
            lines,
            own: Vec::new(),
            groups: Vec::new(),
            groups_of: IdTable::filled(classes, Vec::new()),
            own_line,
        };
        let mut known = Runs::default();
        for (at, column) in columns.lines.iter().enumerate() {
            if column.is_own {
                columns.own.push(at);
                continue;
            }
            let group = known.place(&column.run());
            if group == columns.groups.len() {
                for own in &column.classes {
                    columns.groups_of.add(own.class, (group, own.family));
                }
                columns.groups.push(Vec::new());
            }
            if let Some(members) = columns.groups.get_mut(group) {
                members.push(at);
            }
        }
        columns
    }

    /// The lists of columns that a class is in, with its families there.
    pub fn of(&self, class: ClassId) -> &[(usize, u8)] {
        self.groups_of.of(class)
    }

    /// The columns of a list; of one that is not known, those for the source's own devices.
    pub fn group(&self, group: usize) -> &[usize] {
        self.groups.get(group).unwrap_or(&self.own)
    }

    /// The devices of the users of a row.
    pub fn own_of_row(&self, row: &Line, from: &Classes<'_>) -> Line {
        let mut all: Vec<OfClass> = Vec::new();
        for source in row.classes.iter().filter(|_| !self.own.is_empty()) {
            all.extend(self.own_of(source.class, from).classes);
        }
        sort::sort(&mut all);
        all.dedup_by(|later, first| later.class == first.class);
        Line::of_classes(all)
    }

    /// The devices of the user of a class of sources.
    pub fn own_of(&self, source: ClassId, from: &Classes<'_>) -> Line {
        let class = from.list.get(source);
        let end = class.and_then(|class| class.endpoints.iter().flatten().next());
        match end.map(|end| end.identity) {
            Some(Identity::Some(kind, _)) if is_of_users(kind) => (self.own_line)("autogroup:self"),
            Some(identity) => identity.user().map_or(Line::default(), &self.own_line),
            None => Line::default(),
        }
    }
}
