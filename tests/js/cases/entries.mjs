// Every entry exports every declared name, ready to use. Must not live here: what the names do.

import { equal, ok } from './assert.mjs'

const NAMESPACES = {
  hujson: ['parse', 'tryParse', 'standardize', 'minimize', 'format', 'stringify', 'isStandard', 'find', 'pointerAt', 'patch', 'fromJSON5'],
  policy: [
    'open',
    'check',
    'preview',
    'explain',
    'runTests',
    'filters',
    'ssh',
    'nodeAttrs',
    'visiblePeers',
    'approvedRoutes',
    'access',
    'logins',
    'diffAccess',
    'diffSsh',
    'powers',
    'diffPowers',
    'prove',
    'repair',
    'diff',
    'review',
    'translate',
    'toJSON',
  ],
  cidr: ['check', 'checkMany', 'normalize', 'contains', 'overlaps', 'merge', 'exclude', 'sameSet'],
  routes: ['summarize'],
  dns: ['checkNameserver', 'checkSearchPath'],
}
const ERRORS = [
  'TailnetError',
  'APIError',
  'BadRequestError',
  'AuthenticationError',
  'PermissionDeniedError',
  'NotFoundError',
  'ConflictError',
  'PreconditionFailedError',
  'RateLimitError',
  'NotImplementedError',
  'InternalServerError',
  'APIConnectionError',
  'APIConnectionTimeoutError',
  'APIUserAbortError',
  'APIResponseError',
  'InvalidArgumentError',
  'HuJSONSyntaxError',
  'JSONPatchError',
  'PolicyRefusedError',
  'ETagUnavailableError',
  'NotInitializedError',
  'WebhookSignatureError',
]

export const cases = ({ kit, sandbox, gateway, headscale, language }) => [
  ...Object.entries(NAMESPACES).map(([namespace, names]) => [
    `${namespace} is complete`,
    () => {
      equal(
        names.filter((name) => typeof kit[namespace]?.[name] !== 'function'),
        [],
      )
    },
  ]),
  [
    'policy.edit is complete',
    () => {
      const verbs = ['addRule', 'removeRule', 'setGroup', 'setHost', 'add', 'replace', 'remove', 'move', 'disable', 'enable', 'disabled', 'changes', 'apply']
      equal(
        verbs.filter((name) => typeof kit.policy?.edit?.[name] !== 'function'),
        [],
      )
    },
  ],
  [
    'every error class is there',
    () => {
      // The name of an instance, as bundlers shorten the name of the class.
      equal(
        ERRORS.filter((name) => kit[name]?.prototype.name !== name || !(kit[name].prototype instanceof Error)),
        [],
      )
      ok(kit.isTailnetError(new Error('no')) === false, 'isTailnetError of another error is false')
      const mine = new kit.NotFoundError('mine', { cause: 7 })
      equal([mine.message, mine.code, mine.cause, kit.isTailnetError(mine, 'not_found')], ['mine', 'not_found', 7, true])
    },
  ],
  [
    'the other entries are there',
    () => {
      const { HeadscaleClient, contextFromHeadscale } = headscale
      const names = [kit.TailnetClient, sandbox.Sandbox, gateway.createGateway, HeadscaleClient, contextFromHeadscale]
      equal(
        names.filter((name) => typeof name !== 'function'),
        [],
      )
    },
  ],
  [
    'each entry says the same version',
    () => {
      ok(/^\d+\.\d+\.\d+/.test(kit.version), 'a version has three numbers')
      for (const entry of [sandbox, gateway, headscale, language]) equal(entry.version, kit.version)
    },
  ],
]
