// The error classes and their codes. Must not live here: data that is not thrown.

import type { Issue } from './issue.js';
import type { PolicyCheck } from './policy.js';

/** What everything that the kit throws has in common. */
export declare class TailnetError extends Error {
  /** The stable part of an error: switch on it. It survives minifiers and a second copy of the package. */
  readonly code: string;
}

/** The service answered, and refused. The message is its own. */
export declare class APIError extends TailnetError {
  /** The HTTP status. */
  readonly status: number;
  /** The headers of the answer. */
  readonly headers: Headers;
  /** The body: parsed where it is JSON, its text otherwise. */
  readonly body: unknown;
  /** The id under which the service keeps the request, where it gives one. */
  readonly requestID: string | null;
  /** Seconds after which the service asks to try again. */
  readonly retryAfter: number | null;
  /** How often the request was sent. */
  readonly attempts: number;
  /** The HTTP method. */
  readonly method: string;
  /** The path below the base URL. */
  readonly path: string;
  /** What the service says item by item, such as the tests of a policy that fail. */
  readonly details: {
    /** Whom the item is about. */
    user?: string;
    /** What is wrong, in words of the service. */
    errors: string[];
  }[];
}

/** Status 400; code `bad_request`. */
export declare class BadRequestError extends APIError {}
/** Status 401; code `authentication`. */
export declare class AuthenticationError extends APIError {}
/** Status 403; code `permission_denied`. */
export declare class PermissionDeniedError extends APIError {}
/** Status 404; code `not_found`. */
export declare class NotFoundError extends APIError {}
/** Status 409; code `conflict`. */
export declare class ConflictError extends APIError {}
/** Status 412: the document has changed since its ETag was read; code `precondition_failed`. */
export declare class PreconditionFailedError extends APIError {}
/** Status 429, after the last attempt; code `rate_limit`. */
export declare class RateLimitError extends APIError {}
/** Status 501, such as the removal of a device of another tailnet; code `not_implemented`. Never repeated. */
export declare class NotImplementedError extends APIError {}
/** Any other status from 500 on; code `server_error`. */
export declare class InternalServerError extends APIError {}

/** No answer: name resolution, connection, a body cut short; code `connection`. The engine's own error is its `cause`. */
export declare class APIConnectionError extends TailnetError {}
/** `timeout` or `totalTimeout` is over; code `timeout`. */
export declare class APIConnectionTimeoutError extends APIConnectionError {}
/** The caller's signal, or `close()`; code `aborted`. The signal's reason is its `cause`. */
export declare class APIUserAbortError extends TailnetError {}
/** A success whose body is not what was promised; code `malformed_response`. */
export declare class APIResponseError extends TailnetError {
  /** The body as far as it was read. */
  readonly body?: unknown;
}

/**
 * An argument or option that is missing or malformed, named in the message, or that takes more memory than the wasm can have; code
 * `invalid_argument`. Nothing was sent.
 */
export declare class InvalidArgumentError extends TailnetError {}
/** Text that is no HuJSON; code `hujson_syntax`. */
export declare class HuJSONSyntaxError extends TailnetError {
  /** The stable part. */
  readonly code: 'hujson_syntax';
  /** The place and the reason. */
  readonly issue: Issue<'hujson_syntax'>;
}
/** A patch that does not fit its text; code `json_patch`. The text stays as it was. */
export declare class JSONPatchError extends TailnetError {
  /** Index of the operation that failed; -1 where the list as a whole is at fault. */
  readonly operation: number;
}
/**
 * A policy that the service would refuse; code `policy_refused`. Nothing was sent. `acl.update` throws it for a failing test too, questions
 * about a policy only for what is wrong with its structure or names.
 */
export declare class PolicyRefusedError extends TailnetError {
  /** The stable part. */
  readonly code: 'policy_refused';
  /** What the service would say. */
  readonly check: PolicyCheck;
}
/** `acl.update` found no ETag to protect its write with; code `etag_unavailable`. Nothing was written. */
export declare class ETagUnavailableError extends TailnetError {}
/** The wasm does not run: `init` of `tailnet-kit/slim` was not awaited, or failed; code `not_initialized`. */
export declare class NotInitializedError extends TailnetError {}

/** A delivery that nobody vouches for; code `webhook_signature`. */
export declare class WebhookSignatureError extends TailnetError {
  /** The stable part. */
  readonly code: 'webhook_signature';
  /** No such header; a header or body that cannot be read; older or newer than the tolerance; no secret fits. */
  readonly reason: 'missing' | 'malformed' | 'expired' | 'mismatch';
}

/** Whether this is an error of the kit, of whichever copy of it, and, where `code` is given, that one. */
export declare function isTailnetError(e: unknown, code?: string): e is TailnetError;
