//! Node attributes and approvers.
//! Must not live here: what they give.

use crate::cidr::Prefix;

use super::Checker;
use crate::policy::findings::hint::{ours, recorded};
use crate::policy::findings::words::quoted;
use crate::policy::language::document::Word;
use crate::policy::language::selector::{Autogroup, Kind, Selector};

/// Ranges that the service reserves: no pool may overlap them.
const RESERVED: [&str; 3] = ["100.100.0.0/24", "100.100.100.0/24", "100.115.92.0/23"];

impl Checker<'_> {
    pub(super) fn auto_approvers(&mut self) {
        let approvers = &self.policy.auto_approvers;
        for (route, who) in &approvers.routes {
            if Prefix::parse(route.name()).is_err() {
                let name = quoted(route.name());
                let message = ours(&["autoApprovers: ", &name, ": invalid prefix"]);
                self.refuse("invalid_address", route.span, message);
            }
            self.approvers(who);
        }
        self.approvers(&approvers.exit_node);
        for (service, who) in &approvers.services {
            if !service.name().starts_with("svc:") && !service.name().starts_with("tag:") {
                let name = quoted(service.name());
                let message = ours(&["autoApprovers: ", &name, ": invalid service"]);
                self.refuse("invalid_service", service.span, message);
            }
            self.approvers(who);
        }
    }

    fn approvers(&mut self, who: &[Selector<'_>]) {
        for approver in who {
            self.approver(approver, "approver");
        }
    }

    pub(super) fn node_attrs(&mut self) {
        let policy = self.policy;
        for entry in &policy.node_attrs {
            for target in &entry.targets {
                self.target(target);
            }
            for pool in &entry.ip_pools {
                self.pool(pool);
            }
        }
    }

    fn target(&mut self, target: &Selector<'_>) {
        let foreign = matches!(
            target.kind,
            Kind::Service
                | Kind::Domain
                | Kind::Autogroup(
                    Autogroup::Own
                        | Autogroup::Internet
                        | Autogroup::DangerAll
                        | Autogroup::NonRoot
                        | Autogroup::Unknown
                )
        );
        if foreign {
            let message = recorded(&[&quoted(target.name()), ": invalid address"]);
            self.refuse("invalid_target", target.span, message);
        } else {
            self.need_defined(target, target.span, "");
        }
    }

    fn pool(&mut self, pool: &Word<'_>) {
        let Ok(prefix) = Prefix::parse(pool.name()) else {
            let message = ours(&["IPPool(", pool.name(), "): invalid prefix"]);
            return self.refuse("invalid_pool", pool.span, message);
        };
        let mut reserved = RESERVED.iter().filter_map(|text| Prefix::parse(text).ok());
        if reserved.any(|reserved| reserved.overlaps(prefix)) {
            let prefix = prefix.to_string();
            let message = recorded(&["IPPool(", &prefix, "): network within reserved range"]);
            self.refuse("invalid_pool", pool.span, message);
        }
    }
}
