// The declarations of errors and their codes, used as a user would. Never run. Must not live here: what throws them.

import * as kit from 'tailnet-kit'
import { is } from './is.mjs'

export function errors(thrown: unknown): string {
  if (thrown instanceof kit.APIError) {
    const { status, headers, body, requestID, retryAfter, attempts, method, path, details } = thrown
    is<[number, Headers, unknown, string | null, number | null]>()([status, headers, body, requestID, retryAfter])
    is<[number, string, string]>()([attempts, method, path])
    for (const detail of details) is<[string | undefined, string[]]>()([detail.user, detail.errors])
  }
  const api = [
    kit.BadRequestError,
    kit.AuthenticationError,
    kit.PermissionDeniedError,
    kit.NotFoundError,
    kit.ConflictError,
    kit.PreconditionFailedError,
    kit.RateLimitError,
    kit.NotImplementedError,
    kit.InternalServerError,
  ]
  const others = [
    kit.APIConnectionError,
    kit.APIConnectionTimeoutError,
    kit.APIUserAbortError,
    kit.InvalidArgumentError,
    kit.ETagUnavailableError,
    kit.NotInitializedError,
  ]
  for (const kind of api) if (thrown instanceof kind) is<number>()(thrown.status)
  for (const kind of others) if (thrown instanceof kind) is<string>()(thrown.code)
  if (thrown instanceof kit.APIResponseError) is<unknown>()(thrown.body)
  if (thrown instanceof kit.HuJSONSyntaxError) is<kit.Issue>()(thrown.issue)
  if (thrown instanceof kit.JSONPatchError) is<number>()(thrown.operation)
  if (thrown instanceof kit.PolicyRefusedError) is<kit.PolicyCheck>()(thrown.check)
  return kit.isTailnetError(thrown, 'not_found') ? thrown.code : kit.isTailnetError(thrown) ? thrown.message : ''
}

/** Codes are types: a code narrows the error, and a misspelt one does not compile. */
export function codes(thrown: unknown, prefix: kit.CidrCheck): string {
  if (kit.isTailnetError(thrown, 'policy_refused')) is<kit.PolicyCheck>()(thrown.check)
  if (kit.isTailnetError(thrown, 'rate_limit')) is<[429 | number, number | null]>()([thrown.status, thrown.retryAfter])
  if (kit.isTailnetError(thrown, 'webhook_signature')) is<'missing' | 'malformed' | 'expired' | 'mismatch'>()(thrown.reason)
  if (kit.isTailnetError(thrown, 'unexpected_status')) is<'unexpected_status'>()(thrown.code)
  if (kit.isTailnetError(thrown, 'connection')) is<'connection'>()(thrown.code)
  // @ts-expect-error a misspelt code
  kit.isTailnetError(thrown, 'policy_refuse')
  // @ts-expect-error an error of this code has no check
  if (kit.isTailnetError(thrown, 'not_found')) thrown.check
  // @ts-expect-error a misspelt code in a comparison
  if (kit.isTailnetError(thrown) && thrown.code === 'ratelimit') return ''
  // @ts-expect-error a misspelt code of a prefix
  if (!prefix.ok && prefix.code === 'hostbits') return ''
  const known: kit.ErrorCode[] = ['invalid_argument', 'not_initialized'] satisfies (keyof kit.ErrorByCode)[]
  const answered: kit.APIErrorCode[] = known.filter((code): code is kit.APIErrorCode & kit.ErrorCode => code === 'not_found')
  if (!kit.isTailnetError(thrown)) return answered.join()
  switch (thrown.code) {
    case 'hujson_syntax':
      return `line ${thrown.issue.line}`
    case 'json_patch':
      return `operation ${thrown.operation}`
    case 'malformed_response':
      return String(thrown.body)
    case 'not_found':
    case 'server_error':
      return `status ${thrown.status}`
    default:
      return thrown.message
  }
}
