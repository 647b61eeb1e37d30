//! What `nodeAttrs` gives to devices (docs/policy-language.md#node-attributes).
//! Must not live here: capabilities that grants hand out (filters.rs).

use serde::{Serialize, Serializer};

use super::findings::words::joined;
use super::language::document::{NodeAttr, Policy};
use super::language::json::{Json, PlainJson};
use super::tailnet::classes::{Distinct, PartyClasses};
use super::tailnet::context::PolicyContext;
use super::tailnet::network::Network;
use crate::tables::index::{Index, Runs};
use crate::tables::sort;

/// What one device is given. Every list in the order of the document, without repeats.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeAttributes {
    /// Attributes by name; names are not judged.
    pub attrs: Vec<String>,
    /// The values of each capability; those of several entries are collected.
    #[serde(serialize_with = "as_object")]
    pub app: Vec<(String, Vec<PlainJson>)>,
    /// The pools that its address comes from, as written.
    pub ip_pool: Vec<String>,
}

impl NodeAttributes {
    fn add_attribute(&mut self, name: &str) {
        if !self.attrs.iter().any(|own| own == name) {
            self.attrs.push(name.to_owned());
        }
    }
}

fn as_object<S: Serializer>(
    app: &[(String, Vec<PlainJson>)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(app.iter().map(|(name, values)| (name, values)))
}

impl Policy<'_> {
    /// What every device gets, in the context's order. Entries add up, repeats do no harm.
    ///
    /// Devices that the same entries are about are looked at once: entries are grouped into parcels, one for each set of
    /// entries that share a target, and a class of devices gets all its parcels.
    #[inline(never)]
    pub fn node_attributes(&self, context: &PolicyContext) -> Vec<NodeAttributes> {
        let network = Network::new(self, context);
        let mut targets = Distinct::default();
        let mut entries_of: Vec<Vec<usize>> = Vec::new();
        let mut gifts = Gifts::default();
        let mut given = Vec::new();
        for (at, entry) in self.node_attrs.iter().enumerate() {
            given.push(gifts.of(entry));
            for target in &entry.targets {
                let place = targets.place(target);
                match entries_of.get_mut(place) {
                    Some(entries) => entries.push(at),
                    None => entries_of.push(vec![at]),
                }
            }
        }
        let mut runs = Runs::default();
        let (mut parcels, mut marks) = (Vec::new(), Vec::new());
        for entries in entries_of {
            let parcel = runs.place_of(&entries);
            marks.push(parcel);
            if parcel == parcels.len() {
                parcels.push(union(&entries, &given));
            }
        }
        let classes = PartyClasses::new(&network, &targets.selectors, &marks);
        let mut by_class = Vec::with_capacity(classes.marks.len());
        for marks in &classes.marks {
            by_class.push(gifts.given(&union(marks, &parcels)));
        }
        if let Some(name) = self
            .dialect
            .random_port_attribute()
            .filter(|_| self.randomizes_ports)
        {
            for given in &mut by_class {
                given.add_attribute(name);
            }
        }
        let of_device = classes.of_device.iter();
        of_device
            .filter_map(|&class| by_class.get(class).cloned())
            .collect()
    }
}

/// The numbers in some of the lists: ascending, each once.
fn union(places: &[usize], lists: &[Vec<usize>]) -> Vec<usize> {
    let mut all = Vec::new();
    for &place in places {
        all.extend_from_slice(lists.get(place).map_or(&[], Vec::as_slice));
    }
    sort::sort(&mut all);
    all.dedup();
    all
}

/// One thing that a device can get.
enum Gift<'p> {
    Attribute(&'p str),
    Pool(&'p str),
    /// A capability, with or without values.
    Capability(&'p str),
    /// One value of a capability.
    Value(&'p str, PlainJson),
}

/// All different gifts of a document, in its order.
#[derive(Default)]
struct Gifts<'p> {
    by_text: Index<'p>,
    gifts: Vec<Gift<'p>>,
}

impl<'p> Gifts<'p> {
    /// What an entry gives, as places.
    fn of(&mut self, entry: &NodeAttr<'p>) -> Vec<usize> {
        let mut places = Vec::new();
        for word in &entry.attributes {
            places.push(self.place(&["a", word.name()], Gift::Attribute(word.name())));
        }
        for pool in &entry.ip_pools {
            places.push(self.place(&["p", pool.name()], Gift::Pool(pool.name())));
        }
        for capability in &entry.app {
            let name = capability.name.name();
            places.push(self.place(&["c", name], Gift::Capability(name)));
            for value in capability.values.elements() {
                let value = Json::of(value).plain();
                let text = joined(&["v", name, "\0", value.as_str()]);
                places.push(self.place(&[&text], Gift::Value(name, value)));
            }
        }
        places
    }

    /// The place of the gift that these texts together tell from all others.
    fn place(&mut self, texts: &[&str], gift: Gift<'p>) -> usize {
        let text = joined(texts);
        let next = self.gifts.len();
        let known = self.by_text.find(&text);
        known.unwrap_or_else(|| {
            self.by_text.set(text.into(), next);
            self.gifts.push(gift);
            next
        })
    }

    /// The gifts at ascending places: a capability comes before its values.
    fn given(&self, places: &[usize]) -> NodeAttributes {
        let mut given = NodeAttributes::default();
        let mut capabilities = Index::default();
        for gift in places.iter().filter_map(|&place| self.gifts.get(place)) {
            match gift {
                Gift::Attribute(name) => given.attrs.push((*name).to_owned()),
                Gift::Pool(pool) => given.ip_pool.push((*pool).to_owned()),
                Gift::Capability(name) => {
                    capabilities.set((*name).into(), given.app.len());
                    given.app.push(((*name).to_owned(), Vec::new()));
                }
                Gift::Value(name, value) => {
                    let at = capabilities.find(name).unwrap_or_default();
                    if let Some((_, values)) = given.app.get_mut(at) {
                        values.push(value.clone());
                    }
                }
            }
        }
        given
    }
}
