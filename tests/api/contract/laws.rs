//! Laws of paths and calls: every path leads back to its operation, every call to itself. Must not live here: single routes.

use std::fmt::Debug;

use proptest::prelude::*;
use tailnet_kit::api::{
    AclBody, AclChange, AclFormat, AclQuestion, AclWanted, DeleteDevice, DeviceFilter, DeviceId,
    DevicesWanted, Endpoint, Field, Fields, GetAcl, GetDevice, GetDeviceRoutes, GetNameservers,
    GetPreferences, GetSearchPaths, IfMatch, ListDevices, Method, Nameservers, NewRoutes,
    Operation, PathStyle, Preferences, PreviewAcl, PreviewFor, Scope, SearchPaths, SetAcl,
    SetDeviceRoutes, SetNameservers, SetPreferences, SetSearchPaths, Slot, TailnetName,
    ValidateAcl,
};

/// Any text that can be one path segment.
fn word() -> impl Strategy<Value = String> {
    let awkward = "[a-z0-9/%?#&=+. @:üß日\u{1F600}\\\\\"'-]{1,12}";
    prop_oneof![awkward, any::<String>()].prop_filter("a segment", |text| {
        !matches!(text.as_str(), "" | "." | "..")
    })
}

fn tailnet() -> impl Strategy<Value = TailnetName> {
    word().prop_map(|word| TailnetName::new(word).expect("a name"))
}

fn device() -> impl Strategy<Value = DeviceId> {
    word().prop_map(|word| DeviceId::new(word).expect("an id"))
}

fn fields() -> impl Strategy<Value = Fields> {
    let field = prop_oneof![Just(Field::Default), Just(Field::All)];
    prop::collection::vec(field, 0..4).prop_map(Fields)
}

fn list() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(any::<String>(), 0..4)
}

fn style() -> impl Strategy<Value = PathStyle> {
    prop_oneof![Just(PathStyle::Tailnet), Just(PathStyle::Domain)]
}

fn format() -> impl Strategy<Value = AclFormat> {
    prop_oneof![Just(AclFormat::HuJson), Just(AclFormat::Json)]
}

fn body() -> impl Strategy<Value = AclBody> {
    (format(), any::<String>()).prop_map(|(format, text)| AclBody { format, text })
}

fn condition() -> impl Strategy<Value = Option<IfMatch>> {
    let tag = prop_oneof!["\\*", "\"?[a-z0-9!#]{1,20}\"?", "W/\"[a-z]{0,5}\""];
    prop::option::of(tag.prop_filter_map("a tag", |tag| IfMatch::parse(&tag).ok()))
}

/// A call that is written and read again is the same call.
fn returns<E: Endpoint + PartialEq + Debug>(call: E, style: PathStyle) {
    let request = call.to_request(style);
    let found = Operation::find(request.method, request.path());
    let (operation, scope) = found.unwrap_or_else(|error| panic!("{request:?}: {error:?}"));
    assert_eq!(operation, E::OPERATION);
    assert_eq!(
        E::from_request(scope, &request).expect("a readable request"),
        call
    );
}

proptest! {
    #[test]
    fn every_path_leads_back(word in word(), style in style()) {
        for operation in Operation::ALL.into_iter() {
            let fill = |slot| Slot::of(slot).expect(slot).filled("word", word.clone()).expect("a segment");
            let scope = operation.route().slots().fold(Scope::default(), |scope, slot| scope.and(fill(slot)));
            let path = operation.path(&scope, style);
            prop_assert!(path.is_ascii());
            prop_assert_eq!(Operation::find(operation.route().method, &path), Ok((operation, scope)));
        }
    }

    #[test]
    fn any_path_is_a_route_or_not(path in any::<String>()) {
        let _ = Operation::find(Method::Get, &path);
    }

    #[test]
    fn device_calls_return(id in device(), fields in fields(), routes in list(), style in style()) {
        returns(GetDevice { id: id.clone(), fields }, style);
        returns(DeleteDevice { id: id.clone() }, style);
        returns(GetDeviceRoutes { id: id.clone() }, style);
        returns(SetDeviceRoutes { id, body: NewRoutes { routes } }, style);
    }

    #[test]
    fn policy_calls_return(
        tailnet in tailnet(),
        fields in fields(),
        (body, format, if_match) in (body(), format(), condition()),
        (user, details) in (word(), any::<bool>()),
        style in style(),
    ) {
        let filter = DeviceFilter::default().with("os", user.clone()).and_then(|filter| filter.with("isExternal", details.to_string()));
        returns(ListDevices { tailnet: tailnet.clone(), wanted: DevicesWanted { fields, filter: filter.expect("a filter") } }, style);
        returns(ValidateAcl { tailnet: tailnet.clone(), body: body.clone() }, style);
        // Details have no format.
        let asked = if details { AclFormat::HuJson } else { format };
        returns(GetAcl { tailnet: tailnet.clone(), wanted: AclWanted { format: asked, details } }, style);
        let for_user = PreviewFor::User(user.clone());
        let for_address = PreviewFor::IpPort(user);
        for preview_for in [for_user, for_address] {
            returns(PreviewAcl { tailnet: tailnet.clone(), question: AclQuestion { body: body.clone(), preview_for } }, style);
        }
        returns(SetAcl { tailnet, change: AclChange { body, if_match, format } }, style);
    }

    #[test]
    fn dns_calls_return(tailnet in tailnet(), list in list(), magic_dns: bool, style in style()) {
        returns(GetNameservers { tailnet: tailnet.clone() }, style);
        returns(GetPreferences { tailnet: tailnet.clone() }, style);
        returns(GetSearchPaths { tailnet: tailnet.clone() }, style);
        let nameservers = Nameservers { dns: list.clone() };
        returns(SetNameservers { tailnet: tailnet.clone(), nameservers }, style);
        let preferences = Preferences { magic_dns };
        returns(SetPreferences { tailnet: tailnet.clone(), preferences }, style);
        let search_paths = SearchPaths { search_paths: list };
        returns(SetSearchPaths { tailnet, search_paths }, style);
    }
}
