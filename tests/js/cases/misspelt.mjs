// Names of options that nobody knows: each is refused by its name, as it would be left out otherwise, and nobody would notice. Must not
// live here: options that are known and malformed.

import { equal, fails } from './assert.mjs'

const TEXT = '{"groups": {"group:dev": ["anne@example.com"]}, "acls": [{"action": "accept", "src": ["group:dev"], "dst": ["10.0.0.1:22"]}]}'
const FLOW = { from: 'anne@example.com', to: '10.0.0.1:22' }
const BASE = 'https://api.example.com'

export const cases = (env) => [
  ...refused(env).map(([name, known, call]) => [
    `misspelt: ${name}`,
    () => fails(call, { name: 'InvalidArgumentError', code: 'invalid_argument', message: `\`${name}\` is not one of ${known}` }),
  ]),
  [
    'misspelt: a login near one that the policy names is pointed out, known or not',
    () => {
      const { policy } = env.kit
      const hint = 'did you mean `anne@example.com`?'
      const users = [{ loginName: 'anne@example.com' }]
      for (const [context, unresolved] of [
        [undefined, []],
        [{ users }, ['ann@example.com']],
      ]) {
        const preview = policy.preview(TEXT, { user: 'ann@example.com' }, context)
        equal([preview.matches, preview.unresolved, preview.hint], [[], unresolved, hint])
        equal(policy.preview(TEXT, { user: 'anne' }, context).hint, hint)
        const explanation = policy.explain(TEXT, { ...FLOW, from: 'ann@example.com' }, context)
        equal([explanation.unresolved, explanation.hint], [unresolved, hint])
      }
      equal('hint' in policy.explain(TEXT, FLOW), false)
    },
  ],
]

/** The misspelt name, those that are known, and the call. */
function refused({ kit, sandbox: { Sandbox } }) {
  const { TailnetClient, federated, oauth, policy, verifyWebhook } = kit
  const unsent = () => {
    throw new Error('sent')
  }
  const options = { baseURL: BASE, apiKey: null, tailnet: 'example.com', fetch: unsent }
  const client = new TailnetClient(options)
  const perCall = 'signal, timeout, maxRetries, headers, tailnet'
  return [
    ['protocol', 'from, to, proto, srcPostureAttrs, user', () => policy.explain(TEXT, { ...FLOW, protocol: 'udp' })],
    ['device', 'devices, users, domains, groups, attributes, dialect', () => policy.explain(TEXT, FLOW, { device: [] })],
    ['By', 'by, from, to, base', () => policy.access(TEXT, {}, { By: 'device' })],
    ['base', 'bases', () => policy.prove(TEXT, [], {}, { base: {} })],
    ['context', 'devices, users, domains, groups, attributes, dialect', () => policy.review(TEXT, TEXT, { context: {} })],
    ['devices', 'guard, bases, after', () => policy.review(TEXT, TEXT, {}, { devices: [] })],
    ['context', 'guard, bases, after', () => policy.open(TEXT).review(TEXT, { context: {} })],
    ['filters', 'fields, filter', () => client.devices.list({ filters: { tags: 'tag:web' } })],
    ['tailnet', 'fields, filter', () => client.devices.list({ tailnet: 'other.example' })],
    ['field', 'fields', () => client.devices.get('1', { field: 'all' })],
    ['authorised', 'authorized', () => client.devices.authorize('1', { authorised: false })],
    ['ifNoneMatch', 'ifMatch, overwrite, format', () => client.acl.set(TEXT, { overwrite: true, ifNoneMatch: '"x"' })],
    ['login', 'user, ipPort', () => client.acl.preview(TEXT, { login: 'anne@example.com' })],
    ['roles', 'type, role', () => client.users.list({ roles: 'admin' })],
    ['actors', 'start, end, actor, target, event', () => client.logs.audit({ start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z', actors: 'x' })],
    ['tailNet', perCall, () => client.devices.delete('1', { tailNet: 'other.example' })],
    ['validated', `${perCall}, validate`, () => client.devices.routes.set('1', [], { validated: false })],
    ['attempt', `${perCall}, attempts, check`, () => client.acl.update((text) => text, { attempt: 1 })],
    ['params', `${perCall}, query, body`, () => client.request('GET', '/api/v2/x', { params: {} })],
    ['scope', 'clientId, store, renewBefore, baseURL, fetch, timeout, clientSecret, scopes, tags', () => oauth({ clientSecret: 's', scope: 'dns' })],
    ['scopes', 'clientId, store, renewBefore, baseURL, fetch, timeout, idToken', () => federated({ clientId: 'k', idToken: 'x', scopes: ['dns'] })],
    ['tolerence', 'tolerance, now', () => verifyWebhook({ headers: {}, body: '' }, 'secret', { tolerence: 1 })],
    [
      'advertizedRoutes',
      'key, user, tailnet, hostname, os, tags, advertisedRoutes',
      () => new Sandbox().join({ user: 'anne@example.com', hostname: 'web', advertizedRoutes: ['10.0.0.0/8'] }),
    ],
    ['tag', 'scopes, tags, tailnet, user, expiresIn', () => new Sandbox().token({ scopes: ['dns'], tag: ['tag:web'] })],
    ['device', 'tailnet, apiKey, state, now, origins, hosts, deliver, lists', () => new Sandbox({ device: [] })],
    ['beforeResponse', 'beforeRequest, afterResponse, beforeRetry', () => new TailnetClient({ ...options, hooks: { beforeResponse() {} } })],
    [
      'timeOut',
      'baseURL, tailnet, timeout, totalTimeout, maxRetries, pathStyle, logLevel, dangerouslyAllowBrowser, allowInsecureHTTP, maxResponseBytes, ' +
        'apiKey, fetch, hooks, logger, defaultHeaders',
      () => new TailnetClient({ ...options, timeOut: 1 }),
    ],
  ]
}
