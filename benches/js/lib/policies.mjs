// Policies and the devices they speak of, of a wanted size, as a grown organisation writes them. Must not live here: measuring.

import { random } from './random.mjs'

const DOMAIN = 'example.com'
const PORTS = ['22', '80,443', '443', '5432', '8000-8100', '*', '3389', '53']
const user = (index) => `user${index}@${DOMAIN}`
const address = (index) => `100.${64 + ((index >> 16) & 63)}.${(index >> 8) & 255}.${index & 255}`
const address6 = (index) => `fd7a:115c:a1e0::${(index + 1).toString(16)}`

const list = (count, item) => Array.from({ length: count }, (_, index) => item(index))
const quoted = (items) => items.map((item) => JSON.stringify(item)).join(', ')

/** A policy of `rules` rules in HuJSON, with comments: one rule a line. Every name in it is defined. */
export function policy(rules, { users = 500, groups = 100, tags = 40, hosts = 200, seed = 11 } = {}) {
  const dice = random(seed)
  const lines = ['// The policy of a grown organisation.', '{', '  // who is who']
  const section = (name, count, item) => lines.push(`  "${name}": {`, ...list(count, item), '  },')
  section('groups', groups, (index) => `    "group:team${index}": [${quoted(list(3 + dice.below(8), () => user(dice.below(users))))}], // team ${index}`)
  section('tagOwners', tags, (index) => `    "tag:t${index}": ["group:team${dice.below(groups)}"],`)
  section('hosts', hosts, (index) => `    "host${index}": "10.${dice.below(256)}.${dice.below(256)}.${dice.below(256)}", /* rack ${index % 40} */`)
  lines.push('  "acls": [')
  const source = () => dice.pick([`group:team${dice.below(groups)}`, user(dice.below(users)), `tag:t${dice.below(tags)}`, `host${dice.below(hosts)}`])
  const target = () =>
    `${dice.pick([`tag:t${dice.below(tags)}`, `host${dice.below(hosts)}`, user(dice.below(users)), `10.${dice.below(256)}.0.0/16`])}:${dice.pick(PORTS)}`
  for (let index = 0; index < rules; index++) {
    if (index % 20 === 0) lines.push(`    // ticket ${1000 + index}: reviewed by the network group`)
    lines.push(`    { "action": "accept", "src": [${quoted(list(1 + dice.below(2), source))}], "dst": [${quoted(list(1 + dice.below(3), target))}] },`)
  }
  lines.push('  ],', '}', '')
  return lines.join('\n')
}

/** Devices of the same organisation, in the full form of the API: four of ten carry a tag, one of ten is a subnet router. */
export function devices(count, { users = 500, tags = 40, seed = 13 } = {}) {
  const dice = random(seed)
  return list(count, (index) => {
    const routes = dice.chance(0.1) ? [`10.${dice.below(256)}.0.0/16`] : []
    return {
      id: String(10_000_000 + index),
      addresses: [address(index), address6(index)],
      user: user(dice.below(users)),
      name: `machine-${index}.${DOMAIN}`,
      hostname: `machine-${index}`,
      clientVersion: '1.60.1-t4a2b8c9d0',
      updateAvailable: dice.chance(0.3),
      os: dice.pick(['linux', 'macOS', 'windows', 'iOS']),
      created: '2025-03-01T09:12:33Z',
      lastSeen: '2026-10-02T17:45:01Z',
      keyExpiryDisabled: dice.chance(0.2),
      expires: '2027-03-01T09:12:33Z',
      authorized: true,
      isExternal: false,
      machineKey: `mkey:${key(dice)}`,
      nodeKey: `nodekey:${key(dice)}`,
      blocksIncomingConnections: false,
      enabledRoutes: routes,
      advertisedRoutes: routes,
      ...(dice.chance(0.4) ? { tags: [`tag:t${dice.below(tags)}`] } : {}),
      clientConnectivity: connectivity(dice, index),
    }
  })
}

const key = (dice) =>
  list(8, () =>
    dice
      .below(2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('')

function connectivity(dice, index) {
  const regions = ['Amsterdam', 'Frankfurt', 'London', 'New York City', 'San Francisco', 'Singapore']
  return {
    endpoints: list(3, (port) => `198.51.100.${index % 256}:${41641 + port}`),
    derp: '',
    mappingVariesByDestIP: dice.chance(0.5),
    latency: Object.fromEntries(
      regions.map((region, at) => [region, { latencyMs: Number((dice.next() * 200).toFixed(2)), ...(at === 1 ? { preferred: true } : {}) }]),
    ),
    clientSupports: { hairPinning: false, ipv6: dice.chance(0.5), pcp: false, pmp: false, udp: true, upnp: false },
  }
}
