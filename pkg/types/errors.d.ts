// The error classes and their codes. Must not live here: data that is not thrown.

import type { Issue } from './issue.js'
import type { PolicyCheck } from './policy.js'

/** What all errors of the kit have in common. */
export declare class TailnetError extends Error {
  /** The stable code of an error: switch on it. It survives minifiers and a second copy of the package. */
  readonly code: ErrorCode
}

/** The service answered with a refusal. The message is the service's own. */
export declare class APIError extends TailnetError {
  /** The code; `unexpected_status` for a status that has no class of its own. */
  readonly code: APIErrorCode
  /** The HTTP status. */
  readonly status: number
  /** The headers of the answer. */
  readonly headers: Headers
  /** The body: parsed if it is JSON, else its text. */
  readonly body: unknown
  /** The id by which the service knows the request, if it gives one. */
  readonly requestID: string | null
  /** After how many seconds the service asks to try again. */
  readonly retryAfter: number | null
  /** How often the request was sent. */
  readonly attempts: number
  /** The HTTP method. */
  readonly method: string
  /** The path below the base URL. */
  readonly path: string
  /** Details from the service, such as the tests of a policy that fail. */
  readonly details: {
    /** The user or name that the item is about. */
    user?: string
    /** What is wrong, in the words of the service. */
    errors: string[]
  }[]
}

/** Status 400; code `bad_request`. */
export declare class BadRequestError extends APIError {
  /** The code. */
  readonly code: 'bad_request'
}
/** Status 401; code `authentication`. */
export declare class AuthenticationError extends APIError {
  /** The code. */
  readonly code: 'authentication'
}
/** Status 403; code `permission_denied`. */
export declare class PermissionDeniedError extends APIError {
  /** The code. */
  readonly code: 'permission_denied'
}
/** Status 404; code `not_found`. */
export declare class NotFoundError extends APIError {
  /** The code. */
  readonly code: 'not_found'
}
/** Status 409; code `conflict`. */
export declare class ConflictError extends APIError {
  /** The code. */
  readonly code: 'conflict'
}
/** Status 412: the document has changed since its ETag was read; code `precondition_failed`. */
export declare class PreconditionFailedError extends APIError {
  /** The code. */
  readonly code: 'precondition_failed'
}
/** Status 429, after the last attempt; code `rate_limit`. */
export declare class RateLimitError extends APIError {
  /** The code. */
  readonly code: 'rate_limit'
}
/** Status 501, such as deleting a device of another tailnet; code `not_implemented`. Never retried. */
export declare class NotImplementedError extends APIError {
  /** The code. */
  readonly code: 'not_implemented'
}
/** Any other status from 500 on; code `server_error`. */
export declare class InternalServerError extends APIError {
  /** The code. */
  readonly code: 'server_error'
}

/** No complete answer: name resolution, connection, a truncated body; code `connection`. The engine's own error is its `cause`. */
export declare class APIConnectionError extends TailnetError {
  /** The code. */
  readonly code: 'connection' | 'timeout'
  /** How often the request was sent; absent, like the following members, in an error made outside the kit. */
  readonly attempts?: number
  /** The HTTP method. */
  readonly method?: string
  /** The path below the base URL. */
  readonly path?: string
}
/** `timeout` or `totalTimeout` has passed; code `timeout`. */
export declare class APIConnectionTimeoutError extends APIConnectionError {
  /** The code. */
  readonly code: 'timeout'
}
/** The caller's signal, or `close()`; code `aborted`. The signal's reason is its `cause`. */
export declare class APIUserAbortError extends TailnetError {
  /** The code. */
  readonly code: 'aborted'
  /** How often the request was sent; absent, like the following members, in an error made outside the kit. */
  readonly attempts?: number
  /** The HTTP method. */
  readonly method?: string
  /** The path below the base URL. */
  readonly path?: string
}
/** A success whose body does not have the expected form; code `malformed_response`. */
export declare class APIResponseError extends TailnetError {
  /** The code. */
  readonly code: 'malformed_response'
  /** The HTTP status; absent, like the following members, in an error made outside the kit. */
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
 * An argument or option is missing or malformed, or needs more memory than the wasm can have; the message names it; code
 * `invalid_argument`. Nothing was sent.
 */
export declare class InvalidArgumentError extends TailnetError {
  /** The code. */
  readonly code: 'invalid_argument'
}
/** The text is not HuJSON; code `hujson_syntax`. */
export declare class HuJSONSyntaxError extends TailnetError {
  /** The code. */
  readonly code: 'hujson_syntax'
  /** The position and the reason. */
  readonly issue: Issue<'hujson_syntax'>
}
/** A patch cannot be applied to its text; code `json_patch`. The text is unchanged. */
export declare class JSONPatchError extends TailnetError {
  /** The code. */
  readonly code: 'json_patch'
  /** Index of the operation that failed; -1 if the list as a whole is at fault. */
  readonly operation: number
}
/**
 * The service would refuse the policy; code `policy_refused`. Nothing was sent. `acl.update` throws it for failing tests too, questions
 * about a policy only for faults of its structure or names.
 */
export declare class PolicyRefusedError extends TailnetError {
  /** The code. */
  readonly code: 'policy_refused'
  /** What the service would say. */
  readonly check: PolicyCheck
}
/** `acl.update` found no ETag to protect its write with, or `acl.set` was given null; code `etag_unavailable`. Nothing was written. */
export declare class ETagUnavailableError extends TailnetError {
  /** The code. */
  readonly code: 'etag_unavailable'
}
/** The wasm is not running: `init` of `tailnet-kit/slim` was not awaited, or failed; code `not_initialized`. */
export declare class NotInitializedError extends TailnetError {
  /** The code. */
  readonly code: 'not_initialized'
}

/** The signature of a delivery could not be verified; code `webhook_signature`. */
export declare class WebhookSignatureError extends TailnetError {
  /** The code. */
  readonly code: 'webhook_signature'
  /** No such header; a header or body that cannot be read; a time outside the tolerance; no secret matches. */
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
  /** Any other status that is not a success. */
  unexpected_status: APIError & { readonly code: 'unexpected_status' }
  /** No complete answer. */
  connection: APIConnectionError & { readonly code: 'connection' }
  /** Not in time. */
  timeout: APIConnectionTimeoutError
  /** The caller gave up. */
  aborted: APIUserAbortError
  /** A success without the expected form. */
  malformed_response: APIResponseError
  /** Nothing was sent. */
  invalid_argument: InvalidArgumentError
  /** Not HuJSON. */
  hujson_syntax: HuJSONSyntaxError
  /** A patch that cannot be applied. */
  json_patch: JSONPatchError
  /** A policy that the service would refuse. */
  policy_refused: PolicyRefusedError
  /** A write that could not be guarded. */
  etag_unavailable: ETagUnavailableError
  /** The wasm is not running. */
  not_initialized: NotInitializedError
  /** A delivery whose signature could not be verified. */
  webhook_signature: WebhookSignatureError
}

/** All codes. Later versions may add some: keep a default branch. */
export type ErrorCode = keyof ErrorByCode
/** The codes of refusals by the service. */
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
 * Whether this is an error of the kit, from any copy of it: a union of all classes, which a switch over `code` narrows.
 * @example
 * try {
 *   await client.devices.get('0')
 * } catch (error) {
 *   if (!isTailnetError(error, 'not_found')) throw error
 *   error.status // → 404
 * }
 */
export declare function isTailnetError(e: unknown): e is ErrorByCode[ErrorCode]
/** Whether it is an error with this code. */
export declare function isTailnetError<Code extends ErrorCode>(e: unknown, code: Code): e is ErrorByCode[Code]
