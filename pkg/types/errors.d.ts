// The error classes and their codes. Must not live here: data that is not thrown.

import type { Issue } from './issue.js'
import type { PolicyCheck } from './policy.js'

/** What everything that the kit throws has in common. */
export declare class TailnetError extends Error {
  /** The stable part of an error: switch on it. It survives minifiers and a second copy of the package. */
  readonly code: ErrorCode
}

/** The service answered, and refused. The message is its own. */
export declare class APIError extends TailnetError {
  /** The stable part; `unexpected_status` for a status that has no class of its own. */
  readonly code: APIErrorCode
  /** The HTTP status. */
  readonly status: number
  /** The headers of the answer. */
  readonly headers: Headers
  /** The body: parsed where it is JSON, its text otherwise. */
  readonly body: unknown
  /** The id under which the service keeps the request, where it gives one. */
  readonly requestID: string | null
  /** Seconds after which the service asks to try again. */
  readonly retryAfter: number | null
  /** How often the request was sent. */
  readonly attempts: number
  /** The HTTP method. */
  readonly method: string
  /** The path below the base URL. */
  readonly path: string
  /** What the service says item by item, such as the tests of a policy that fail. */
  readonly details: {
    /** Whom the item is about. */
    user?: string
    /** What is wrong, in words of the service. */
    errors: string[]
  }[]
}

/** Status 400; code `bad_request`. */
export declare class BadRequestError extends APIError {
  /** The stable part. */
  readonly code: 'bad_request'
}
/** Status 401; code `authentication`. */
export declare class AuthenticationError extends APIError {
  /** The stable part. */
  readonly code: 'authentication'
}
/** Status 403; code `permission_denied`. */
export declare class PermissionDeniedError extends APIError {
  /** The stable part. */
  readonly code: 'permission_denied'
}
/** Status 404; code `not_found`. */
export declare class NotFoundError extends APIError {
  /** The stable part. */
  readonly code: 'not_found'
}
/** Status 409; code `conflict`. */
export declare class ConflictError extends APIError {
  /** The stable part. */
  readonly code: 'conflict'
}
/** Status 412: the document has changed since its ETag was read; code `precondition_failed`. */
export declare class PreconditionFailedError extends APIError {
  /** The stable part. */
  readonly code: 'precondition_failed'
}
/** Status 429, after the last attempt; code `rate_limit`. */
export declare class RateLimitError extends APIError {
  /** The stable part. */
  readonly code: 'rate_limit'
}
/** Status 501, such as the removal of a device of another tailnet; code `not_implemented`. Never repeated. */
export declare class NotImplementedError extends APIError {
  /** The stable part. */
  readonly code: 'not_implemented'
}
/** Any other status from 500 on; code `server_error`. */
export declare class InternalServerError extends APIError {
  /** The stable part. */
  readonly code: 'server_error'
}

/** No answer: name resolution, connection, a body cut short; code `connection`. The engine's own error is its `cause`. */
export declare class APIConnectionError extends TailnetError {
  /** The stable part. */
  readonly code: 'connection' | 'timeout'
  /** How often the request was sent; absent in an error that somebody else made, like what follows. */
  readonly attempts?: number
  /** The HTTP method. */
  readonly method?: string
  /** The path below the base URL. */
  readonly path?: string
}
/** `timeout` or `totalTimeout` is over; code `timeout`. */
export declare class APIConnectionTimeoutError extends APIConnectionError {
  /** The stable part. */
  readonly code: 'timeout'
}
/** The caller's signal, or `close()`; code `aborted`. The signal's reason is its `cause`. */
export declare class APIUserAbortError extends TailnetError {
  /** The stable part. */
  readonly code: 'aborted'
  /** How often the request was sent; absent in an error that somebody else made, like what follows. */
  readonly attempts?: number
  /** The HTTP method. */
  readonly method?: string
  /** The path below the base URL. */
  readonly path?: string
}
/** A success whose body is not what was promised; code `malformed_response`. */
export declare class APIResponseError extends TailnetError {
  /** The stable part. */
  readonly code: 'malformed_response'
  /** The HTTP status; absent in an error that somebody else made, like what follows. */
  readonly status?: number
  /** The headers of the answer. */
  readonly headers?: Headers
  /** How often the request was sent. */
  readonly attempts?: number
  /** The HTTP method. */
  readonly method?: string
  /** The path below the base URL. */
  readonly path?: string
  /** The body as far as it was read. */
  readonly body?: unknown
}

/**
 * An argument or option that is missing or malformed, named in the message, or that takes more memory than the wasm can have; code
 * `invalid_argument`. Nothing was sent.
 */
export declare class InvalidArgumentError extends TailnetError {
  /** The stable part. */
  readonly code: 'invalid_argument'
}
/** Text that is no HuJSON; code `hujson_syntax`. */
export declare class HuJSONSyntaxError extends TailnetError {
  /** The stable part. */
  readonly code: 'hujson_syntax'
  /** The place and the reason. */
  readonly issue: Issue<'hujson_syntax'>
}
/** A patch that does not fit its text; code `json_patch`. The text stays as it was. */
export declare class JSONPatchError extends TailnetError {
  /** The stable part. */
  readonly code: 'json_patch'
  /** Index of the operation that failed; -1 where the list as a whole is at fault. */
  readonly operation: number
}
/**
 * A policy that the service would refuse; code `policy_refused`. Nothing was sent. `acl.update` throws it for a failing test too, questions
 * about a policy only for what is wrong with its structure or names.
 */
export declare class PolicyRefusedError extends TailnetError {
  /** The stable part. */
  readonly code: 'policy_refused'
  /** What the service would say. */
  readonly check: PolicyCheck
}
/** `acl.update` found no ETag to protect its write with; code `etag_unavailable`. Nothing was written. */
export declare class ETagUnavailableError extends TailnetError {
  /** The stable part. */
  readonly code: 'etag_unavailable'
}
/** The wasm does not run: `init` of `tailnet-kit/slim` was not awaited, or failed; code `not_initialized`. */
export declare class NotInitializedError extends TailnetError {
  /** The stable part. */
  readonly code: 'not_initialized'
}

/** A delivery that nobody vouches for; code `webhook_signature`. */
export declare class WebhookSignatureError extends TailnetError {
  /** The stable part. */
  readonly code: 'webhook_signature'
  /** No such header; a header or body that cannot be read; older or newer than the tolerance; no secret fits. */
  readonly reason: 'missing' | 'malformed' | 'expired' | 'mismatch'
}

/** The class of each code. */
export interface ErrorByCode {
  /** Status 400. */
  bad_request: BadRequestError
  /** Status 401. */
  authentication: AuthenticationError
  /** Status 403. */
  permission_denied: PermissionDeniedError
  /** Status 404. */
  not_found: NotFoundError
  /** Status 409. */
  conflict: ConflictError
  /** Status 412. */
  precondition_failed: PreconditionFailedError
  /** Status 429. */
  rate_limit: RateLimitError
  /** Status 501. */
  not_implemented: NotImplementedError
  /** Any other status from 500 on. */
  server_error: InternalServerError
  /** Any other status that is no success. */
  unexpected_status: APIError & { readonly code: 'unexpected_status' }
  /** No whole answer. */
  connection: APIConnectionError & { readonly code: 'connection' }
  /** Not in time. */
  timeout: APIConnectionTimeoutError
  /** The caller gave up. */
  aborted: APIUserAbortError
  /** A success that is not what was promised. */
  malformed_response: APIResponseError
  /** Nothing was sent. */
  invalid_argument: InvalidArgumentError
  /** No HuJSON. */
  hujson_syntax: HuJSONSyntaxError
  /** A patch that does not fit. */
  json_patch: JSONPatchError
  /** A policy that the service would refuse. */
  policy_refused: PolicyRefusedError
  /** A write that could not be guarded. */
  etag_unavailable: ETagUnavailableError
  /** The wasm does not run. */
  not_initialized: NotInitializedError
  /** A delivery that nobody vouches for. */
  webhook_signature: WebhookSignatureError
}

/** The stable words; later versions add some: keep a default branch. */
export type ErrorCode = keyof ErrorByCode
/** Those of an answer of the service. */
export type APIErrorCode =
  | 'bad_request'
  | 'authentication'
  | 'permission_denied'
  | 'not_found'
  | 'conflict'
  | 'precondition_failed'
  | 'rate_limit'
  | 'not_implemented'
  | 'server_error'
  | 'unexpected_status'

/**
 * Whether this is an error of the kit, of whichever copy of it: the union of all, which a switch over `code` takes apart.
 * @example
 * try {
 *   await client.devices.get('0')
 * } catch (error) {
 *   if (!isTailnetError(error, 'not_found')) throw error
 *   error.status // → 404
 * }
 */
export declare function isTailnetError(e: unknown): e is ErrorByCode[ErrorCode]
/** Whether it is the one with this code. */
export declare function isTailnetError<Code extends ErrorCode>(e: unknown, code: Code): e is ErrorByCode[Code]
