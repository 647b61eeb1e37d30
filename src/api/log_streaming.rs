//! What the calls carry about the streaming of logs to a collector. Must not live here: the logs themselves (`logs`).
use serde_json::{Map, Value};

use super::input::{bodies, sent_as_json};
use super::payload::{Done, given_as_json};
use super::shape::{MemberKind, Shape, member};
use super::table::operations;
use super::wire_types::wire_types;

wire_types! {
    /// Where a log is streamed to. Only `destinationType` is certain.
    pub struct LogStream {
        /// Which log it is of, `configuration` or `network`: only in answers.
        pub log_type: Option<String>,
        /// `splunk`, `elastic`, `s3` and so on.
        pub destination_type: String,
        /// The address of the collector.
        pub url: Option<String>,
        /// The user who logs in there.
        pub user: Option<String>,
        /// The user's token: sent, but never in an answer.
        pub token: Option<String>,
        /// Minutes between two uploads, at most 1440.
        pub upload_period_minutes: Option<u64>,
        /// `none`, `zstd` or `gzip`.
        pub compression_format: Option<String>,
        /// What single destinations need, `s3…` and `gcs…`, and everything else.
        pub other: Map<String, Value>,
    }

    /// How a stream does: counters, the last error, times.
    #[non_exhaustive]
    pub struct LogStreamStatus {
        /// When something was last sent, RFC 3339.
        pub last_activity: Option<String>,
        /// Why sending last failed.
        pub last_error: Option<String>,
        /// The counters, and everything else.
        pub other: Map<String, Value>,
    }

    /// What the trust policy of a role at AWS must name.
    #[derive(Eq)]
    #[non_exhaustive]
    pub struct AwsExternalId {
        /// The external id.
        pub external_id: String,
        /// The account that takes the role.
        pub tailscale_aws_account_id: String,
    }
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

const STREAM: &str = "/api/v2/tailnet/:tailnet/logging/:logType/stream";

operations! {
    /// Where a log (`configuration` or `network`) is streamed to, without secrets.
    GetLogStream(tailnet: TailnetName, log_type: ItemId) "logs.streaming.get", Get STREAM, Read;
        gives LogStream; needs Area("log_streaming"); refuses "`not_found` (none is set)";
        typed "(logType: LogType): LogStream";
        example "await client.logs.streaming.set('configuration', { destinationType: 'splunk', url: 'https://logs.example.com', token: 'from your secrets' })
            const { destinationType } = await client.logs.streaming.get('configuration')";
        heads "logs.streaming" "Where the logs are streamed to.";
    /// Streams a log to a collector; what is left out is removed.
    SetLogStream(tailnet: TailnetName, log_type: ItemId) "logs.streaming.set", Put STREAM, Replace;
        sends stream: LogStream; gives Done; needs Area("log_streaming"); logs part(LogStream, "", "LOG_STREAMING");
        refuses "`bad_request`";
        typed "(logType: LogType, stream: NewLogStream): void";
        example "await client.logs.streaming.set('network', { destinationType: 's3', s3Bucket: 'logs', s3Region: 'eu-west-1', compressionFormat: 'zstd' })";
    /// Ends the streaming of a log.
    DeleteLogStream(tailnet: TailnetName, log_type: ItemId) "logs.streaming.delete", Delete STREAM, Once;
        gives Done; needs Area("log_streaming"); logs part(LogStream, "", "LOG_STREAMING"); refuses "`not_found` (none is set)";
        typed "(logType: LogType): void";
        example "await client.logs.streaming.set('network', { destinationType: 'axiom', token: 'from your secrets' })
            await client.logs.streaming.delete('network')";
    /// How the streaming of a log does: counters, times and the last error.
    GetLogStreamStatus(tailnet: TailnetName, log_type: ItemId)
        "logs.streaming.status", Get "/api/v2/tailnet/:tailnet/logging/:logType/stream/status", Read;
        gives LogStreamStatus; needs Area("log_streaming"); refuses "`not_found` (none is set)";
        typed "(logType: LogType): LogStreamStatus";
        example "await client.logs.streaming.set('network', { destinationType: 'axiom', token: 'from your secrets' })
            const { lastError } = await client.logs.streaming.status('network')";
    /// The external id that the trust policy of a role at AWS must name, for streams to S3.
    CreateAwsExternalId(tailnet: TailnetName) "logs.streaming.awsExternalId", Post "/api/v2/tailnet/:tailnet/aws-external-id", Once;
        sends wanted: ExternalIdWanted; gives AwsExternalId; needs Area("log_streaming");
        typed "(params?: { /** Whether the id that was given before will do. */ reusable?: boolean }): AwsExternalId";
        example "const { externalId } = await client.logs.streaming.awsExternalId({ reusable: true })";
    /// Looks whether the trust policy of a role at AWS names the external id; stores nothing.
    ValidateAwsTrustPolicy(tailnet: TailnetName, id: ItemId)
        "logs.streaming.validateAws", Post "/api/v2/tailnet/:tailnet/aws-external-id/:externalID/validate-aws-trust-policy", Read;
        sends role: AwsRole; gives Done; needs Area("log_streaming"); refuses "`not_found`, `unexpected_status` (422: it does not)";
        typed "(id: string, role: { /** The ARN of the role. */ roleArn: string }): void";
        example "const { externalId } = await client.logs.streaming.awsExternalId()
            await client.logs.streaming.validateAws(externalId, { roleArn: 'arn:aws:iam::123456789012:role/logs' })";
}
