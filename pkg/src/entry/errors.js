// What every entry has beside its own names: the version, and the errors by class and by code. Must not live here: anything else.

export { version } from '../../../wasm/version.js'
export {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIResponseError,
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ETagUnavailableError,
  HuJSONSyntaxError,
  InternalServerError,
  InvalidArgumentError,
  JSONPatchError,
  NotFoundError,
  NotImplementedError,
  NotInitializedError,
  PermissionDeniedError,
  PolicyRefusedError,
  PreconditionFailedError,
  RateLimitError,
  TailnetError,
  WebhookSignatureError,
  isTailnetError,
} from '../../../common/errors.js'
