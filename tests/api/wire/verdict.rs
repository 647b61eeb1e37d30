//! The service's answer to the validation of a policy, and its outcome. Must not live here: the policy itself.
use tailnet_kit::api::{
    AclBody, AclFormat, AclOutcome, AclVerdict, Endpoint, Operation, PathStyle, Response,
    ValidateAcl, VerdictDetail,
};

use super::{example, exchange, some, text_of, texts};

#[test]
fn validate_acl() {
    let body = AclBody {
        format: AclFormat::HuJson,
        text: text_of(Operation::ValidateAcl, |wire| wire.request.body),
    };
    let detail = VerdictDetail {
        user: "ada@example.com".to_owned(),
        errors: texts(&["address \"tag:db:5432\": want: Drop, got: Accept"]),
        warnings: Vec::new(),
    };
    let output = AclVerdict {
        message: some("test(s) failed"),
        data: vec![detail],
    };
    exchange(
        ValidateAcl {
            tailnet: example(),
            body,
        },
        PathStyle::Tailnet,
        output,
    );
}

#[test]
fn a_200_of_a_validation_may_still_report_a_failure() {
    for (body, outcome) in [
        ("", AclOutcome::Valid),
        ("null", AclOutcome::Valid),
        ("{}", AclOutcome::Valid),
        (
            r#"{"message": "test(s) failed", "data": [{"user": "a", "errors": ["no"]}]}"#,
            AclOutcome::TestsFailed,
        ),
        (
            r#"{"message": "warning(s) found", "data": [{"user": "a", "warnings": ["hm"]}]}"#,
            AclOutcome::Warnings,
        ),
        (
            r#"{"message": "src=tag not found: \"tag:x\""}"#,
            AclOutcome::Invalid,
        ),
        (r#"{"message": "no", "data": null}"#, AclOutcome::Invalid),
    ] {
        let mut answer = Response::empty(200);
        answer.body = body.into();
        let verdict = ValidateAcl::output(&answer);
        assert_eq!(verdict.expect("a verdict").outcome(), outcome, "{body}");
    }
}
