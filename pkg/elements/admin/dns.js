// `<tailnet-dns>`: nameservers, MagicDNS, search paths, and nameservers of single domains. Must not live here: what a good nameserver or search path is,
// how a list of entries is edited (`entries.js`).

import { h } from '../common/dom.js'
import { live } from '../common/buttons.js'
import { attempt } from '../common/work.js'
import { ServiceElement, card } from './element.js'
import { entriesCard } from './entries.js'

const linesOf = (split) => Object.entries(split).map((domain) => domain.flat().join(' '))

export class TailnetDns extends ServiceElement {
  static asks = 'DNS settings'

  async load({ dns }) {
    // Where a service does not show the nameservers of single domains only this part is missing.
    const split = dns.split.get().then(
      (split) => ({ split }),
      (error) => ({ error }),
    )
    const [servers, preferences, paths] = await Promise.all([dns.nameservers.get(), dns.preferences.get(), dns.searchPaths.get()])
    return { servers: servers.dns, magicDNS: preferences.magicDNS, paths: paths.searchPaths, ...(await split) }
  }

  show({ servers, magicDNS, paths, split, error }) {
    const dns = () => this.service.dns
    const [box, said] = [h('input', { type: 'checkbox', checked: magicDNS }), live()]
    const turn = async () => {
      const wanted = box.checked
      box.checked = !wanted // It shows what the service has until the answer comes.
      box.checked = (await dns().preferences.set({ magicDNS: wanted })).magicDNS
    }
    box.onchange = () => attempt(said, turn)
    const ofServers = entriesCard(this, servers, {
      kind: 'nameservers',
      title: 'Nameservers',
      about: 'Resolvers for names outside the tailnet, in this order.',
      box: 'Addresses',
      emptied: 'Without a nameserver MagicDNS goes off, and stays off until it is turned on again.',
      send: async (entries) => {
        const answer = await dns().nameservers.set(entries)
        box.checked = answer.magicDNS
        return answer.dns
      },
    })
    const ofPaths = entriesCard(this, paths, {
      kind: 'searchPaths',
      title: 'Search paths',
      about: 'Suffixes to try for short names.',
      box: 'Domains',
      emptied: 'Without a search path short names are looked up as they are.',
      send: async (entries) => (await dns().searchPaths.set(entries)).searchPaths,
    })
    const ofDomains = {
      kind: 'split',
      title: 'Split DNS',
      about: 'Resolvers for single domains, e.g. corp.example.com 10.0.0.53.',
      box: 'A domain and its nameservers',
      emptied: 'Without an entry every name is asked of the nameservers above.',
      send: async (entries) => {
        const wanted = new Map()
        for (const [domain, ...addresses] of entries.map((entry) => entry.split(/[\s,]+/))) wanted.set(domain, [...(wanted.get(domain) ?? []), ...addresses])
        return linesOf(await dns().split.replace(Object.fromEntries(wanted)))
      },
    }
    const about = h('p.quiet', 'Devices find each other by name. It needs at least one nameserver.')
    const magic = card('MagicDNS', about, h('label.choice', box, 'MagicDNS is on'), said)
    const domains = split ? entriesCard(this, linesOf(split), ofDomains) : card('Split DNS', h('p.problem', { role: 'alert' }, ...this.why(error)))
    this.body.replaceChildren(h('div.cards', h('div.stack', ofServers, magic), ofPaths, domains))
  }
}
