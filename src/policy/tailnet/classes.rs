//! Devices grouped by the selectors that include them: those of one class are evaluated once.
//! Must not live here: what follows for them.

use super::network::Network;
use crate::policy::language::selector::Selector;
use crate::tables::index::{Index, Runs};
use crate::tables::sort;

/// Selectors without repeats, in the order in which they came.
#[derive(Default)]
pub(crate) struct Distinct<'p> {
    by_name: Index<'p>,
    pub selectors: Vec<Selector<'p>>,
}

impl<'p> Distinct<'p> {
    /// The index of a selector.
    pub fn place(&mut self, selector: &Selector<'p>) -> usize {
        let place = self.by_name.place(selector.name(), self.selectors.len());
        if place == self.selectors.len() {
            self.selectors.push(*selector);
        }
        place
    }
}

/// The classes of all devices.
#[derive(Default)]
pub(crate) struct PartyClasses {
    /// The class of each device, devices in the context's order.
    pub of_device: Vec<usize>,
    /// The marks of each class, ascending, each once; no marks at all are a class too.
    pub marks: Vec<Vec<usize>>,
}

impl PartyClasses {
    /// Gives each selector's mark to the devices that it includes; those with the same marks are of one class.
    #[inline(never)]
    pub fn new(network: &Network<'_>, selectors: &[Selector<'_>], marks: &[usize]) -> PartyClasses {
        let mut marked = Vec::new();
        marked.resize(network.devices.len(), Vec::new());
        for (selector, &mark) in selectors.iter().zip(marks) {
            for device in network.devices_of(selector) {
                if let Some(marked) = device.of_mut(&mut marked) {
                    marked.push(mark);
                }
            }
        }
        PartyClasses::of(marked)
    }

    /// The classes of devices with these marks, in any order.
    #[inline(never)]
    pub fn of(marked: Vec<Vec<usize>>) -> PartyClasses {
        let mut classes = PartyClasses::default();
        let mut runs = Runs::default();
        for mut marks in marked {
            sort::sort(&mut marks);
            marks.dedup();
            let class = runs.place_of(&marks);
            classes.of_device.push(class);
            if class == classes.marks.len() {
                classes.marks.push(marks);
            }
        }
        classes
    }
}
