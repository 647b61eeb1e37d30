//! What the calls carry about the streaming of logs to a collector. Must not live here: the logs themselves (`logs`).
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::input::{bodies, sent_as_json};
use super::payload::given_as_json;
use super::shape::{MemberKind, Shape, member};

/// Where a log is streamed to. Only `destinationType` is certain.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LogStream {
    /// `splunk`, `elastic`, `s3` and so on.
    pub destination_type: String,
    /// The address of the collector.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The user who logs in there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The user's token: sent, but never in an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Minutes between two uploads, at most 1440.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upload_period_minutes: Option<u64>,
    /// `none`, `zstd` or `gzip`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compression_format: Option<String>,
    /// What single destinations need, `s3…` and `gcs…`, and everything else.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// How a stream does: counters, the last error, times.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LogStreamStatus {
    /// When something was last sent, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_activity: Option<String>,
    /// Why sending last failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// The counters, and everything else.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// What the trust policy of a role at AWS must name.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AwsExternalId {
    /// The external id.
    pub external_id: String,
    /// The account that takes the role.
    pub tailscale_aws_account_id: String,
}

sent_as_json! { LogStream: &[member("destinationType", MemberKind::Text)], }

given_as_json! {
    LogStream: Shape::Object(&[member("destinationType", MemberKind::Text)]),
    LogStreamStatus: Shape::Object(&[]),
    AwsExternalId: Shape::Object(&[
        member("externalId", MemberKind::Text),
        member("tailscaleAwsAccountId", MemberKind::Text),
    ]),
}

bodies! {
    /// Which external id is wanted.
    ExternalIdWanted {
        /// Whether the one that was given before will do; otherwise it is a new one.
        reusable: Option<bool> = "reusable",
    }
    /// A role at AWS.
    AwsRole {
        /// Its name, `arn:aws:iam::…:role/…`.
        role_arn: String = "roleArn",
    }
}
