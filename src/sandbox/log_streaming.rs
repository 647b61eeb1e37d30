//! The calls about the streaming of logs: what is set is stored, and nothing is ever sent. Must not live here: the logs (`log`).

use serde_json::{Value, json};

use super::Sandbox;
use super::caller::Need;
use super::choices::{NO_TIME, Outcome, Refusal, refused};
use super::perform::serves;
use crate::api::input::object;
use crate::api::{
    AwsExternalId, CreateAwsExternalId, DeleteLogStream, Done, GetLogStream, GetLogStreamStatus,
    ItemId, LogStream, LogStreamStatus, SetLogStream, TailnetName, ValidateAwsTrustPolicy,
};
use crate::tables::find::split_once;

const TYPES: [&str; 2] = ["configuration", "network"];
const DESTINATIONS: [&str; 9] = [
    "splunk",
    "elastic",
    "panther",
    "cribl",
    "crowdstrike",
    "datadog",
    "axiom",
    "s3",
    "gcs",
];
const COMPRESSIONS: [&str; 3] = ["none", "zstd", "gzip"];
/// The longest time between two uploads, in minutes.
const LONGEST_PERIOD: u64 = 1440;
/// Members that are sent and never returned, beside the token.
const SECRETS: [&str; 2] = ["s3SecretAccessKey", "gcsCredentials"];
/// What stands for the service's own account at AWS.
const ACCOUNT: &str = "000000000000";
const COUNTERS: [&str; 4] = [
    "numBytesSent",
    "numEntriesSent",
    "numFailedRequests",
    "numTotalRequests",
];

serves! {
    GetLogStream: plain get_log_stream,
    SetLogStream: plain set_log_stream,
    DeleteLogStream: plain delete_log_stream,
    GetLogStreamStatus: plain get_log_stream_status,
    CreateAwsExternalId: timed create_aws_external_id,
    ValidateAwsTrustPolicy: plain validate_aws_trust_policy,
}

impl Sandbox {
    fn get_log_stream(&self, call: GetLogStream) -> Outcome<LogStream> {
        let stream = self.log_stream(&call.tailnet, &call.log_type)?.shown();
        Ok(LogStream {
            log_type: Some(call.log_type.as_str().to_owned()),
            ..stream
        })
    }

    /// A collector inside of the tailnet also needs the rights that connect it.
    fn set_log_stream(&mut self, call: SetLogStream) -> Outcome<Done> {
        let kind = known(&call.log_type)?;
        let stream = call.stream;
        check(&stream)?;
        if is_private(stream.url.as_deref().unwrap_or_default()) {
            self.caller.need(Need::write("device_invites"))?;
            self.caller.need(Need::write("policy_file"))?;
        }
        let streams = &mut self.tailnet_mut(&call.tailnet)?.log_streams;
        streams.insert(kind.to_owned(), stream);
        Ok(Done)
    }

    fn delete_log_stream(&mut self, call: DeleteLogStream) -> Outcome<Done> {
        self.log_stream(&call.tailnet, &call.log_type)?;
        let streams = &mut self.tailnet_mut(&call.tailnet)?.log_streams;
        streams.remove(call.log_type.as_str());
        Ok(Done)
    }

    /// Nothing was ever sent.
    fn get_log_stream_status(&self, call: GetLogStreamStatus) -> Outcome<LogStreamStatus> {
        self.log_stream(&call.tailnet, &call.log_type)?;
        Ok(LogStreamStatus {
            last_activity: Some(NO_TIME.to_owned()),
            other: object(COUNTERS.map(|name| (name, Value::from(0)))),
            ..LogStreamStatus::default()
        })
    }

    fn create_aws_external_id(
        &mut self,
        call: CreateAwsExternalId,
        now: i64,
    ) -> Outcome<AwsExternalId> {
        let known = self.tailnet(&call.tailnet)?.aws_external_ids.first();
        let known = known
            .filter(|_| call.wanted.reusable == Some(true))
            .cloned();
        let external_id = match known {
            Some(known) => known,
            None => {
                let made = self.fresh("aws external id", now);
                let ids = &mut self.tailnet_mut(&call.tailnet)?.aws_external_ids;
                ids.push(made.clone());
                made
            }
        };
        Ok(AwsExternalId {
            external_id,
            tailscale_aws_account_id: ACCOUNT.to_owned(),
        })
    }

    /// Nobody is asked: the name of a role is enough.
    fn validate_aws_trust_policy(&self, call: ValidateAwsTrustPolicy) -> Outcome<Done> {
        let id = call.id.as_str();
        let ids = &self.tailnet(&call.tailnet)?.aws_external_ids;
        if !ids.iter().any(|known| known == id) {
            return Err(Refusal::Unknown("external id", id.to_owned()));
        }
        match is_role(&call.role.role_arn) {
            true => Ok(Done),
            false => Err(Refusal::Unprocessable(format!(
                "\"{}\" is not the ARN of a role",
                call.role.role_arn
            ))),
        }
    }

    fn log_stream(&self, tailnet: &TailnetName, kind: &ItemId) -> Outcome<&LogStream> {
        let kind = known(kind)?;
        let found = self.tailnet(tailnet)?.log_streams.get(kind);
        found.ok_or_else(|| Refusal::Unknown("log stream", kind.to_owned()))
    }
}

impl LogStream {
    /// As it is returned, without its secrets.
    pub(super) fn shown(&self) -> LogStream {
        let mut shown = self.clone();
        (shown.token, shown.log_type) = (None, None);
        shown
            .other
            .retain(|name, _| !SECRETS.contains(&name.as_str()));
        shown
    }
}

fn known(kind: &ItemId) -> Outcome<&'static str> {
    let found = TYPES.into_iter().find(|known| *known == kind.as_str());
    found.ok_or_else(|| Refusal::Unknown("log type", kind.as_str().to_owned()))
}

fn check(stream: &LogStream) -> Outcome<()> {
    let unknown = |what: &str, name: &str| refused!("unknown {what} \"{name}\"");
    let kind = stream.destination_type.as_str();
    if !DESTINATIONS.contains(&kind) {
        return unknown("destinationType", kind);
    }
    if let Some(format) = stream.compression_format.as_deref()
        && !COMPRESSIONS.contains(&format)
    {
        return unknown("compressionFormat", format);
    }
    if stream
        .upload_period_minutes
        .is_some_and(|period| period > LONGEST_PERIOD)
    {
        let reason = json!({"uploadPeriodMinutes": LONGEST_PERIOD});
        return refused!("more than the maximum: {reason}");
    }
    Ok(())
}

/// Whether a collector is a device of the tailnet: by its name, or by an address that only tailnets have.
fn is_private(url: &str) -> bool {
    let (_, rest) = split_once(url, "://").unwrap_or_default();
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority
        .rsplit_once(':')
        .map_or(authority, |(host, _)| host);
    let address = crate::cidr::Address::parse(host.trim_matches(['[', ']']));
    host.ends_with(".ts.net") || address.is_ok_and(crate::api::is_tailnet_address)
}

fn is_role(arn: &str) -> bool {
    let rest = arn.strip_prefix("arn:aws:iam::").unwrap_or_default();
    let (account, role) = split_once(rest, ":role/").unwrap_or_default();
    account.len() == 12 && account.bytes().all(|byte| byte.is_ascii_digit()) && !role.is_empty()
}
