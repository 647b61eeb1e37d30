// The error classes of the kit, and the one place that makes them from the plain objects the wasm throws. Must not live
// here: which error occurs when.

/** The key under which every error of every copy of the kit is marked. */
const MARK = Symbol.for('tailnet-kit.error')

export class TailnetError extends Error {
  static { name(this, 'TailnetError') }
  /** Of a message and options, as any Error; the kit itself gives an object with all that there is to say. */
  constructor(message, options) {
    const plain = typeof message === 'object' && message !== null ? message : { ...options, message }
    super(plain.message, 'cause' in plain ? { cause: plain.cause } : undefined)
    const { message: _, cause, ...fields } = plain
    Object.assign(this, fields)
  }
}
Object.defineProperty(TailnetError.prototype, MARK, { value: true })

export class APIError extends TailnetError { static { name(this, 'APIError') } }
export class BadRequestError extends APIError { static { name(this, 'BadRequestError') } }
export class AuthenticationError extends APIError { static { name(this, 'AuthenticationError') } }
export class PermissionDeniedError extends APIError { static { name(this, 'PermissionDeniedError') } }
export class NotFoundError extends APIError { static { name(this, 'NotFoundError') } }
export class ConflictError extends APIError { static { name(this, 'ConflictError') } }
export class PreconditionFailedError extends APIError { static { name(this, 'PreconditionFailedError') } }
export class RateLimitError extends APIError { static { name(this, 'RateLimitError') } }
export class NotImplementedError extends APIError { static { name(this, 'NotImplementedError') } }
export class InternalServerError extends APIError { static { name(this, 'InternalServerError') } }
export class APIConnectionError extends TailnetError { static { name(this, 'APIConnectionError') } }
export class APIConnectionTimeoutError extends APIConnectionError { static { name(this, 'APIConnectionTimeoutError') } }
export class APIUserAbortError extends TailnetError { static { name(this, 'APIUserAbortError') } }
export class APIResponseError extends TailnetError { static { name(this, 'APIResponseError') } }
export class InvalidArgumentError extends TailnetError { static { name(this, 'InvalidArgumentError') } }
export class HuJSONSyntaxError extends TailnetError { static { name(this, 'HuJSONSyntaxError') } }
export class JSONPatchError extends TailnetError { static { name(this, 'JSONPatchError') } }
export class PolicyRefusedError extends TailnetError { static { name(this, 'PolicyRefusedError') } }
export class ETagUnavailableError extends TailnetError { static { name(this, 'ETagUnavailableError') } }
export class NotInitializedError extends TailnetError { static { name(this, 'NotInitializedError') } }
export class WebhookSignatureError extends TailnetError { static { name(this, 'WebhookSignatureError') } }

const CLASSES = {
  unexpected_status: APIError,
  bad_request: BadRequestError,
  authentication: AuthenticationError,
  permission_denied: PermissionDeniedError,
  not_found: NotFoundError,
  conflict: ConflictError,
  precondition_failed: PreconditionFailedError,
  rate_limit: RateLimitError,
  not_implemented: NotImplementedError,
  server_error: InternalServerError,
  connection: APIConnectionError,
  timeout: APIConnectionTimeoutError,
  aborted: APIUserAbortError,
  malformed_response: APIResponseError,
  invalid_argument: InvalidArgumentError,
  hujson_syntax: HuJSONSyntaxError,
  json_patch: JSONPatchError,
  policy_refused: PolicyRefusedError,
  etag_unavailable: ETagUnavailableError,
  not_initialized: NotInitializedError,
  webhook_signature: WebhookSignatureError,
}

// A class has the code of its errors, for those that a test of the user's makes.
for (const [code, { prototype }] of Object.entries(CLASSES)) Object.defineProperty(prototype, 'code', { value: code, configurable: true, writable: true })

/**
 * The error for what was thrown. Plain objects `{ code, message, … }` become the class of their code; their `failure`, an
 * earlier error of the same form, becomes the cause. Anything else is not ours and stays as it is.
 */
export function toError(thrown) {
  if (thrown instanceof Error || !Object.hasOwn(CLASSES, thrown?.code ?? '')) return thrown
  const { failure, ...plain } = thrown
  return new CLASSES[plain.code](failure === undefined ? plain : { ...plain, cause: toError(failure) })
}

/** Whether this is an error of the kit, of any copy of it; with a code, of that code. */
export function isTailnetError(e, code) {
  return typeof e === 'object' && e !== null && e[MARK] === true && (code === undefined || e.code === code)
}

/** Names survive minifiers only where they are written out. */
function name(errorClass, text) {
  Object.defineProperty(errorClass.prototype, 'name', { value: text, configurable: true, writable: true })
}
