// The error classes of the kit, and the one place that makes them from the plain objects the wasm throws. Must not live
// here: which error occurs when.

/** The key that marks the errors of every copy of the kit. */
const MARK = Symbol.for('tailnet-kit.error')

export class TailnetError extends Error {
  /** Takes a message and options, as any Error does; the kit itself passes one object with all members. */
  constructor(message, options) {
    const plain = typeof message === 'object' && message !== null ? message : { ...options, message }
    super(plain.message, 'cause' in plain ? { cause: plain.cause } : undefined)
    const { message: _, cause, ...fields } = plain
    Object.assign(this, fields)
  }
}
Object.defineProperty(TailnetError.prototype, MARK, { value: true })

export class APIError extends TailnetError {}
export class BadRequestError extends APIError {}
export class AuthenticationError extends APIError {}
export class PermissionDeniedError extends APIError {}
export class NotFoundError extends APIError {}
export class ConflictError extends APIError {}
export class PreconditionFailedError extends APIError {}
export class RateLimitError extends APIError {}
export class NotImplementedError extends APIError {}
export class InternalServerError extends APIError {}
export class APIConnectionError extends TailnetError {}
export class APIConnectionTimeoutError extends APIConnectionError {}
export class APIUserAbortError extends TailnetError {}
export class APIResponseError extends TailnetError {}
export class InvalidArgumentError extends TailnetError {}
export class HuJSONSyntaxError extends TailnetError {}
export class JSONPatchError extends TailnetError {}
export class PolicyRefusedError extends TailnetError {}
export class ETagUnavailableError extends TailnetError {}
export class NotInitializedError extends TailnetError {}
export class WebhookSignatureError extends TailnetError {}

// Minifiers keep names only where they are written out, as the keys of an object are. No static blocks: React Native's presets do
// not transform them, and its engine does not know them.
const NAMED = {
  TailnetError,
  APIError,
  BadRequestError,
  AuthenticationError,
  PermissionDeniedError,
  NotFoundError,
  ConflictError,
  PreconditionFailedError,
  RateLimitError,
  NotImplementedError,
  InternalServerError,
  APIConnectionError,
  APIConnectionTimeoutError,
  APIUserAbortError,
  APIResponseError,
  InvalidArgumentError,
  HuJSONSyntaxError,
  JSONPatchError,
  PolicyRefusedError,
  ETagUnavailableError,
  NotInitializedError,
  WebhookSignatureError,
}
for (const [name, { prototype }] of Object.entries(NAMED)) define(prototype, 'name', name)

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

// A class has the code of its errors, for errors that a user's test makes.
for (const [code, { prototype }] of Object.entries(CLASSES)) define(prototype, 'code', code)

/**
 * The error for what was thrown. A plain object `{ code, message, … }` becomes an error of the class of its code; its `failure`,
 * an earlier error of the same form, becomes the cause. Anything else is not ours and stays as it is.
 */
export function toError(thrown) {
  if (thrown instanceof Error || !Object.hasOwn(CLASSES, thrown?.code ?? '')) return thrown
  const { failure, ...plain } = thrown
  return new CLASSES[plain.code](failure === undefined ? plain : { ...plain, cause: toError(failure) })
}

/** Whether this is an error of any copy of the kit; with a code, whether it has that code. */
export function isTailnetError(e, code) {
  return typeof e === 'object' && e !== null && e[MARK] === true && (code === undefined || e.code === code)
}

function define(prototype, key, value) {
  Object.defineProperty(prototype, key, { value, configurable: true, writable: true })
}
