//! Flows by a grant with `via`, and routes of other devices that it takes away (docs/policy-language.md#via).
//! Must not live here: exit nodes and other routes.

use serde_json::{Value, json};

use super::{asked, delivered, devices, explain, grant, grants};

#[test]
fn the_destination_of_a_via_grant_is_reached_only_through_its_tag() {
    let through = grants(&[grant("ann@example.com", "10.1.0.0/16", &["tag:r1"])]);
    let found = explain(&through, "ann@example.com", "10.1.9.9:80");
    assert_eq!(
        (&found["verdict"], delivered(&found)),
        (
            &json!("allowed"),
            vec!["router | r1 | 10.1.0.0/16".to_owned()]
        )
    );
}

#[test]
fn the_longer_route_of_another_is_taken_away_too() {
    let through = grants(&[grant("ann@example.com", "10.1.0.0/16", &["tag:r1"])]);
    let found = explain(&through, "ann@example.com", "10.1.2.3:80");
    assert_eq!(
        (&found["verdict"], delivered(&found)),
        (
            &json!("allowed"),
            vec!["router | r1 | 10.1.0.0/16".to_owned()]
        )
    );
}

#[test]
fn a_plain_grant_to_the_whole_route_gives_it_back() {
    let both = grants(&[
        grant("ann@example.com", "10.1.0.0/16", &["tag:r1"]),
        grant("ann@example.com", "10.1.2.0/24", &[]),
    ]);
    let found = explain(&both, "ann@example.com", "10.1.2.3:80");
    assert_eq!(
        (&found["verdict"], delivered(&found)),
        (
            &json!("allowed"),
            vec!["router | r2 | 10.1.2.0/24".to_owned()]
        )
    );
}

// An administrator gets the route back, which opens less; only the context says who is one.
#[test]
fn a_route_that_may_come_back_leaves_the_verdict_unknown() {
    let mut back = grant("autogroup:admin", "10.1.2.0/24", &[]);
    back["ip"] = json!(["tcp:22"]);
    let both = grants(&[grant("ann@example.com", "10.1.0.0/16", &["tag:r1"]), back]);
    let told = |users: Value| {
        let context = json!({"devices": devices(), "users": users});
        let context = serde_json::from_value(context).expect("a context");
        asked(&both, "ann@example.com", "10.1.2.3:80", &context, None)
    };
    let (r1, r2) = ("router | r1 | 10.1.0.0/16", "router | r2 | 10.1.2.0/24");
    let ann = |role: &str| json!([{"loginName": "ann@example.com", "role": role}]);
    for (users, verdict, routers) in [
        (ann("member"), "allowed", vec![r1]),
        (ann("admin"), "denied", vec![r2]),
    ] {
        let found = told(users);
        assert_eq!(found["verdict"], verdict, "{found}");
        assert_eq!(delivered(&found), routers);
    }
    let found = explain(&both, "ann@example.com", "10.1.2.3:80");
    assert_eq!(found["verdict"], "unknown", "{found}");
}

#[test]
fn a_via_grant_takes_no_routes_from_those_whom_it_does_not_cover() {
    let through = grants(&[
        grant("ann@example.com", "10.1.0.0/16", &["tag:r1"]),
        grant("tag:web", "10.1.2.0/24", &[]),
    ]);
    let found = explain(&through, "tag:web", "10.1.2.3:80");
    assert_eq!(
        (&found["verdict"], delivered(&found)),
        (
            &json!("allowed"),
            vec!["router | r2 | 10.1.2.0/24".to_owned()]
        )
    );
}

#[test]
fn a_via_grant_without_a_router_of_its_tag_leads_nowhere_and_says_so() {
    let through = grants(&[grant("ann@example.com", "10.1.0.0/16", &["tag:bare"])]);
    let found = explain(&through, "ann@example.com", "10.1.2.3:80");
    assert_eq!(found["verdict"], "denied");
    assert_eq!(
        found["nearMisses"][0]["why"],
        "way: no device with tag:bare has an approved route to the destination"
    );
}

// The router of the tag has an approved route, but not the one that the packets take.
#[test]
fn a_via_grant_whose_router_does_not_receive_the_packets_says_so() {
    let mut back = grant("ann@example.com", "10.1.2.0/24", &[]);
    back["ip"] = json!(["tcp:22"]);
    let both = grants(&[grant("ann@example.com", "10.1.0.0/16", &["tag:r1"]), back]);
    let found = explain(&both, "ann@example.com", "10.1.2.3:80");
    assert_eq!(found["verdict"], "denied");
    assert_eq!(delivered(&found), ["router | r2 | 10.1.2.0/24"]);
    let misses = found["nearMisses"].as_array().expect("a list");
    let of_via = misses.iter().find(|miss| miss["rule"]["index"] == 0);
    assert_eq!(
        of_via.expect("the grant with via")["why"],
        "way: the packets go through no device with tag:r1"
    );
}

#[test]
fn a_via_grant_whose_router_has_only_other_routes_says_so() {
    let wide = grants(&[grant("ann@example.com", "10.0.0.0/8", &["tag:r1"])]);
    let found = explain(&wide, "ann@example.com", "10.200.0.1:80");
    assert_eq!(
        found["nearMisses"][0]["why"],
        "way: no device with tag:r1 has an approved route to the destination"
    );
}

/// A route that waits for its approval, on a device that the grant does not go through.
#[test]
fn what_via_leaves_out_is_not_said_to_lack_an_approval() {
    let mut waiting = devices();
    for at in 4..7 {
        waiting[at]["enabledRoutes"] = json!([]);
    }
    let context = serde_json::from_value(json!({"devices": waiting})).expect("a context");
    let told = |to: &str, via: &str| {
        let set = if to == "8.8.8.8:53" {
            "autogroup:internet"
        } else {
            "10.1.0.0/16"
        };
        let through = grants(&[grant("ann@example.com", set, &[via])]);
        delivered(&asked(&through, "ann@example.com", to, &context, None))
    };
    for (to, via, why) in [
        (
            "8.8.8.8:53",
            "tag:web",
            "no approved route leads to 8.8.8.8",
        ),
        (
            "10.1.9.9:80",
            "tag:web",
            "no approved route leads to 10.1.9.9",
        ),
        (
            "8.8.8.8:53",
            "tag:exit",
            "no approved route leads to 8.8.8.8; offered as exit node by out, not approved",
        ),
        (
            "10.1.9.9:80",
            "tag:r2",
            "no approved route leads to 10.1.9.9; advertised by r2, not approved",
        ),
    ] {
        let lines = told(to, via);
        assert!(lines[0].ends_with(why), "{to} by {via}: {lines:?}");
    }
}
