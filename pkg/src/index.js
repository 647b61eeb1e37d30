// What the entries `.` and `./slim` have in common: every name of the kit but the sandbox and the gateway. Must not live
// here: starting the wasm.

export { version } from '../wasm/version.js'
export { cidr, dns, routes } from './cidr.js'
export { TailnetClient } from './client.js'
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
  isTailnetError,
} from './errors.js'
export { hujson } from './hujson.js'
export { policy } from './policy.js'
