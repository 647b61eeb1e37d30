// A gateway in front of a sandbox that records the requests, for the tests of both files. Must not live here: tests.

import assert from 'node:assert/strict'
import { createGateway } from 'tailnet-kit/gateway'
import { Sandbox } from 'tailnet-kit/sandbox'

export const KEY = 'tskey-secret'
export const SITE = 'https://edge.example'
const ALL = [
  'devices.list',
  'devices.get',
  'devices.delete',
  'devices.routes.get',
  'devices.routes.set',
  'acl.get',
  'acl.set',
  'acl.preview',
  'dns.nameservers.get',
  'dns.nameservers.set',
  'dns.preferences.get',
  'dns.preferences.set',
  'dns.searchPaths.get',
  'dns.searchPaths.set',
]
const tailnet = (id) => ({ devices: [{ id }], acl: '{}', dns: { nameservers: ['1.1.1.1'], magicDNS: true, searchPaths: [] } })

/** A gateway for `mine.example`; the service has a second tailnet with the same key. `seen` are the requests that reached it. */
export function house(options = {}) {
  const state = { tailnets: { 'mine.example': tailnet('1'), 'other.example': tailnet('2') } }
  const box = new Sandbox({ tailnet: ['mine.example', 'other.example'], apiKey: KEY, state })
  const seen = []
  const fetch = (url, init) => {
    seen.push({ url: String(url), ...init })
    return box.fetch(url, init)
  }
  const gateway = createGateway({ baseURL: box.baseURL, apiKey: KEY, tailnet: 'mine.example', authorize: () => true, allow: ALL, fetch, ...options })
  const ask = (method, path, { body, headers } = {}) => gateway(new Request(`${SITE}${path}`, { method, headers, body }))
  return { gateway, ask, seen, box }
}

export const message = async (response) => {
  assert.equal(response.headers.get('content-type'), 'application/json')
  return (await response.json()).message
}

export const ACL = '/api/v2/tailnet/mine.example/acl'
