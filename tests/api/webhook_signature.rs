//! The header that signs a delivery. Must not live here: the comparison itself (`tests/js/cases/webhook.mjs`).

use tailnet_kit::Code;
use tailnet_kit::api::{DeliveryFault, Signatures, TOLERANCE};

/// 2026-11-20T09:00:00Z, in seconds.
const NOW: u64 = 1_795_165_200;
const ONE: &str = "5f0cb7a1c3e2d4f65f0cb7a1c3e2d4f65f0cb7a1c3e2d4f65f0cb7a1c3e2d4f6";

fn read(header: &str) -> Result<Signatures, DeliveryFault> {
    Signatures::read(Some(header), NOW as f64 * 1000.0, TOLERANCE)
}

#[test]
fn the_time_is_kept_as_it_was_signed_and_each_v1_is_a_signature() {
    let upper = ONE.to_uppercase();
    let signatures =
        read(&format!("t={NOW},v1={ONE},v0=old,v2=new,next,v1={upper}")).expect("it is read");
    assert_eq!(signatures.time, NOW.to_string());
    assert_eq!(signatures.values.len(), 2);
    assert_eq!(signatures.values[0][..3], [0x5f, 0x0c, 0xb7]);
    assert_eq!(signatures.values[0], signatures.values[1]);
    assert_eq!(
        read(&format!(" v1={ONE} , t=0{NOW} "))
            .expect("it is read")
            .time,
        format!("0{NOW}")
    );
}

#[test]
fn a_v1_that_cannot_be_one_leaves_the_others() {
    let header = format!("t={NOW},v1=,v1=zz,v1={}g,v1={ONE}00,v1={ONE}", &ONE[1..]);
    assert_eq!(read(&header).expect("it is read").values.len(), 1);
}

#[test]
fn a_header_that_cannot_be_read_is_malformed() {
    let many = vec![format!("v1={ONE}"); 9].join(",");
    for header in [
        String::new(),
        format!("v1={ONE}"),
        format!("t=,v1={ONE}"),
        format!("t=+{NOW},v1={ONE}"),
        format!("t=-{NOW},v1={ONE}"),
        format!("t={NOW}.0,v1={ONE}"),
        format!("t={NOW},t={NOW},v1={ONE}"),
        format!("t=99999999999999999999999,v1={ONE}"),
        format!("t={NOW}"),
        format!("t={NOW},v1=é"),
        format!("t={NOW},v2={ONE}"),
        format!("t={NOW},{many}"),
    ] {
        assert_eq!(read(&header), Err(DeliveryFault::Malformed), "{header}");
    }
    assert_eq!(
        Signatures::read(None, 0.0, 300.0),
        Err(DeliveryFault::Missing)
    );
}

#[test]
fn a_time_may_be_five_minutes_off_and_no_more() {
    for (seconds, taken) in [
        (NOW - 300, true),
        (NOW - 301, false),
        (NOW + 300, true),
        (NOW + 301, false),
        (0, false),
    ] {
        let result = read(&format!("t={seconds},v1={ONE}"));
        let expected = if taken {
            None
        } else {
            Some(DeliveryFault::Expired)
        };
        assert_eq!(result.err(), expected, "{seconds}");
    }
}

#[test]
fn each_fault_has_the_code_and_its_own_reason() {
    let all = [
        DeliveryFault::Missing,
        DeliveryFault::Malformed,
        DeliveryFault::Expired,
        DeliveryFault::Mismatch,
    ];
    for fault in all {
        assert_eq!(DeliveryFault::by_reason(fault.reason()), fault);
        assert_eq!(fault.code(), Code::WebhookSignature);
        assert_eq!(
            all.iter()
                .filter(|other| other.to_string() == fault.to_string())
                .count(),
            1
        );
    }
}
