// Addresses: a list of 100,000 strings as a form or a file brings them. Must not live here: which verdict is right (the tests know).

import { normalizeCidr } from 'cidr-tools'
import IPCIDR from 'ip-cidr'
import ipaddr from 'ipaddr.js'
import isCidr from 'is-cidr'
import { cidr } from 'tailnet-kit'
import { random } from '../lib/random.mjs'

/** Four of ten IPv6, one of ten wrong, host bits set in some. */
function mixed(count) {
  const dice = random(17)
  const byte = () => dice.below(256)
  const word = () => dice.below(65536).toString(16)
  const kinds = [
    () => `${byte()}.${byte()}.${byte()}.0/24`,
    () => `10.${byte()}.0.0/16`,
    () => `100.${64 + dice.below(64)}.${byte()}.${byte()}/32`,
    () => `${byte()}.${byte()}.${byte()}.${byte()}/${dice.below(33)}`,
    () => `192.168.${byte()}.0/2${dice.below(5)}`,
    () => `fd7a:115c:a1e0::${word()}/128`,
    () => `2001:db8:${word()}:${word()}::/64`,
    () => `2001:DB8:0:0:${word()}::/80`,
    () => `fe80::${word()}:${word()}/64`,
    () => dice.pick(['10.0.0/8', '10.0.0.0/33', '300.1.2.3/8', '01.2.3.4/8', 'fd7a::1::2/64', '::1/129', 'host', '10.0.0.0/08']),
  ]
  return Array.from({ length: count }, () => dice.pick(kinds)())
}

const attempt = (work) => {
  try {
    return work()
  } catch {
    return null
  }
}

export default ({ quick }) => {
  const count = quick ? 10_000 : 100_000
  const prepare = (candidates) => () => {
    const strings = mixed(count)
    const bound = Object.entries(candidates).map(([name, work]) => [name, () => work(strings)])
    return { value: (ms) => (ms * 1e6) / count, candidates: Object.fromEntries(bound) }
  }
  return [
    {
      title: `cidr.checkMany of ${count.toLocaleString('en')} mixed strings: ns a string (less is better)`,
      unit: 'addresses',
      columns: ['tailnet-kit', 'is-cidr', 'cidr-tools', 'ip-cidr', 'ipaddr.js'],
      rows: [
        {
          input: 'validate and normalise',
          target: { node: { atMost: 600 }, chromium: { atMost: 600 } },
          prepare: prepare({
            'tailnet-kit': (strings) => cidr.checkMany(strings, { hostBits: 'mask' }),
            'cidr-tools': (strings) => strings.map((text) => attempt(() => normalizeCidr(text))),
            'ip-cidr': (strings) => strings.map((text) => attempt(() => new IPCIDR(text).toString())),
            'ipaddr.js': (strings) => strings.map((text) => attempt(() => ipaddr.parseCIDR(text).toString())),
          }),
        },
        {
          input: 'validate',
          prepare: prepare({
            'tailnet-kit': (strings) => cidr.checkMany(strings),
            'is-cidr': (strings) => strings.map((text) => isCidr(text) !== 0),
            'ip-cidr': (strings) => strings.map((text) => IPCIDR.isValidCIDR(text)),
            'ipaddr.js': (strings) => strings.map((text) => ipaddr.isValidCIDR(text)),
          }),
        },
        {
          input: 'one by one',
          prepare: prepare({ 'tailnet-kit': (strings) => strings.map((text) => cidr.check(text)) }),
        },
      ],
    },
  ]
}
