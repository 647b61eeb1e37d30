//! Warnings about what the devices of the context do not have today: tags, routes, declared tags, names of aliases.
//! Must not live here: what the text alone says.

use crate::cidr::Range;
use crate::hujson::Span;

use super::adviser::Adviser;
use super::hints;
use crate::policy::findings::hint::Hint;
use crate::policy::findings::words::{joined, quoted};
use crate::policy::language::grammar::{Key, Object};
use crate::policy::language::rule::Rule;
use crate::policy::language::selector::{Autogroup, Kind, Memo, Selector};
use crate::policy::tailnet::addresses::{internet, set_of, tailnet};
use crate::policy::tailnet::context::{Device, DeviceIndex};
use crate::policy::tailnet::device_names::DeviceNames;
use crate::policy::tailnet::routes::{Route, Routes};
use crate::tables::index::{Index, Lists};

/// The devices, by what rules need of them.
struct Today<'p> {
    devices: &'p [Device],
    by_tag: Lists<'p, DeviceIndex>,
    routes: Routes,
    advertised: Routes,
    /// Destinations of which something was said, or nothing is to say.
    seen: Memo,
}

impl<'p> Adviser<'p> {
    #[inline(never)]
    pub(super) fn today(&mut self) {
        let (policy, context) = (self.policy, self.context);
        let Some(devices) = context
            .devices
            .as_deref()
            .filter(|_| self.faults.is_empty())
        else {
            return;
        };
        let mut today = Today {
            devices,
            by_tag: Lists::default(),
            routes: Routes::new(devices, |device| &device.routes),
            advertised: Routes::new(devices, |device| &device.advertised),
            seen: Memo::default(),
        };
        for (place, device) in DeviceIndex::each(devices) {
            for tag in device.tags() {
                today.by_tag.add(tag.trim(), place);
            }
        }
        self.undeclared(devices);
        self.without_device(&today);
        for rule in policy.rules() {
            self.unrouted(&rule, &mut today);
        }
        self.hidden_devices(devices);
    }

    /// Tags of devices that the document does not declare.
    fn undeclared(&mut self, devices: &'p [Device]) {
        let mut seen = Index::default();
        for device in devices {
            for tag in device.tags().iter().map(|tag| tag.trim()) {
                if self.policy.tag_owners.contains(tag) || !seen.set(tag.into(), 0) {
                    continue;
                }
                let name = device.name.as_deref().or(device.hostname.as_deref());
                let name = quoted(name.unwrap_or(&device.id));
                let message = joined(&[&name, " has ", &quoted(tag), ", which is not declared"]);
                let (span, hint) = match self.tag_section() {
                    Some(span) => (span, hints::declare(tag)),
                    None => {
                        let section = joined(&["\"tagOwners\": {\"", tag, "\": []}"]);
                        (self.brace(), Hint::write(&["declare it: ", &section]))
                    }
                };
                self.warn("undeclared_tag", span, message, Some(hint));
            }
        }
    }

    /// The name of the section that declares tags.
    fn tag_section(&self) -> Option<Span> {
        let mut members = self.policy.document.root().members();
        let section = members.find(|member| {
            let key =
                Object::document(self.policy.dialect).key(member.name.as_str().unwrap_or_default());
            key.is_some_and(|key| key.key == Key::TagOwners)
        });
        section.map(|member| member.name.span())
    }

    /// Tags that rules name and no device has.
    fn without_device(&mut self, today: &Today<'p>) {
        let policy = self.policy;
        let mut named = Index::default();
        let mut note = |selectors: &mut dyn Iterator<Item = &'p Selector<'p>>| {
            for selector in selectors.filter(|selector| selector.kind == Kind::Tag) {
                named.set(selector.name().into(), 0);
            }
        };
        for rule in policy.rules() {
            note(&mut rule.sources.iter().chain(rule.via));
            note(&mut rule.destinations());
        }
        for rule in &policy.ssh {
            note(&mut rule.sources.iter().chain(&rule.destinations));
        }
        for (tag, _) in policy.tag_owners.iter() {
            if named.find(tag.text).is_some() && today.by_tag.get(tag.text).is_empty() {
                let message = joined(&["no device has ", &quoted(tag.text), ", which rules name"]);
                let hint = Hint::words("put it on a device, or remove it and what names it");
                self.warn("tag_without_device", tag.span, message, Some(hint));
            }
        }
    }

    /// Destinations behind no approved route, or behind none of a device of the rule's `via`.
    fn unrouted(&mut self, rule: &Rule<'p>, today: &mut Today<'p>) {
        // Of a tag that no device has something is said already.
        let tags = rule.via.iter().map(Selector::name);
        if !rule.via.is_empty() && tags.clone().all(|tag| today.by_tag.get(tag).is_empty()) {
            return;
        }
        for to in rule.destinations() {
            let is_internet = to.kind == Kind::Autogroup(Autogroup::Internet);
            let range = self.policy.range(to);
            if range.is_none() && !is_internet || rule.via.is_empty() && today.seen.get(to) > 0 {
                continue;
            }
            if rule.via.is_empty() {
                today.seen.add(to, 1);
            }
            let Some(lacking) = today.lacking(range, rule.via) else {
                continue;
            };
            let router = match rule.via {
                [] => String::new(),
                via => {
                    let via: Vec<&str> = via.iter().map(Selector::name).collect();
                    joined(&[" of ", &via.join(", ")])
                }
            };
            let name = quoted(to.name());
            let message = joined(&["no approved route", &router, " leads to ", &name]);
            self.warn("no_route", to.span, message, Some(lacking));
        }
    }

    /// Aliases with the name of a device that is not at their address.
    fn hidden_devices(&mut self, devices: &'p [Device]) {
        let policy = self.policy;
        if policy.hosts.is_empty() {
            return;
        }
        let names = DeviceNames::of(self.context);
        for (alias, address) in policy.hosts.iter() {
            let found = names.find(alias.name()).ok().flatten();
            let (Some(device), Some(range)) =
                (found.and_then(|place| place.of(devices)), address.range())
            else {
                continue;
            };
            let holds = |own: Range| set_of(vec![own]).overlaps(&set_of(vec![range]));
            let mut own = device.addresses.iter().map(|own| Range::from(*own));
            let mut routes = device.advertised.iter().map(|own| Range::from(*own));
            if Kind::of(alias.name()) == Kind::Host && !own.any(holds) && !routes.any(holds) {
                let (name, address) = (quoted(alias.text), address.name());
                let message = joined(&["alias ", &name, " is ", address, ", not that device"]);
                let hint = "choose another name, or write the address of the device";
                let hint = Hint::words(hint);
                self.warn("shadowed_alias", alias.span, message, Some(hint));
            }
        }
    }
}

impl Today<'_> {
    /// What to do so that a route leads to a destination, which is the internet if it has no range; none if there is one, or if
    /// none is needed.
    fn lacking(&self, range: Option<Range>, via: &[Selector<'_>]) -> Option<Hint> {
        let is_router = |device: &DeviceIndex| {
            let mut tags = via.iter().map(|tag| self.by_tag.get(tag.name()));
            via.is_empty() || tags.any(|tagged| tagged.contains(device))
        };
        let exits = range.is_none_or(|range| internet().covers_range(range));
        if exits && via.is_empty()
            || range.is_some_and(|range| tailnet().overlaps(&set_of(vec![range])))
        {
            return None;
        }
        let find = |routes: &Routes| {
            let exit = routes.exits.iter().find(|exit| exits && is_router(exit));
            let mut found = exit.copied();
            if let Some(range) = range {
                routes.overlapping(range, &mut |route: &Route| {
                    found = found.or_else(|| route.routers.iter().copied().find(&is_router));
                });
            }
            found
        };
        if find(&self.routes).is_some() {
            return None;
        }
        let waiting = find(&self.advertised).and_then(|place| place.of(self.devices));
        Some(match waiting {
            Some(device) => {
                let name = device.name.as_deref().or(device.hostname.as_deref());
                let name = name.unwrap_or(&device.id);
                Hint::words(&joined(&["approve the route that ", name, " advertises"]))
            }
            None => Hint::words("advertise a route to it and approve it, or remove the rule"),
        })
    }
}
