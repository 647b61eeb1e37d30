// Nameservers, MagicDNS, search paths, and nameservers of single domains. Must not live here: what a good nameserver or search path is.
import './service.css'
import { type SplitDns, cidr, dns } from 'tailnet-kit/slim'
import { attempt, card, fill, h, live } from './dom.js'
import { entriesCard } from './entries.js'
import { client } from './service.js'

export const dnsView = (root: HTMLElement): Promise<void> => {
  const load = async () => {
    const { dns } = await client()
    return Promise.all([dns, dns.nameservers.get(), dns.preferences.get(), dns.searchPaths.get()])
  }
  return fill(root, 'Asking for the DNS settings …', load, ([service, servers, { magicDNS }, paths]) => {
    const { nameservers, preferences, searchPaths } = service
    const [box, said] = [h('input', { type: 'checkbox', checked: magicDNS }), live()]
    const turn = async () => {
      const wanted = box.checked
      box.checked = !wanted // It shows what the service has until the answer comes.
      box.checked = (await preferences.set({ magicDNS: wanted })).magicDNS
    }
    box.onchange = () => attempt(said, turn)
    const ofServers = {
      title: 'Nameservers',
      about: 'Resolvers for names outside the tailnet, in this order.',
      box: 'Addresses',
      emptied: 'Without a nameserver MagicDNS goes off, and stays off until it is turned on again.',
      check: dns.checkNameserver,
      same: sameAddress,
      send: async (entries: string[]) => {
        const answer = await nameservers.set(entries)
        box.checked = answer.magicDNS
        return answer.dns
      },
    }
    const ofPaths = {
      title: 'Search paths',
      about: 'Suffixes to try for short names.',
      box: 'Domains',
      emptied: 'Without a search path short names are looked up as they are.',
      check: dns.checkSearchPath,
      same: sameDomain,
      send: async (entries: string[]) => (await searchPaths.set(entries)).searchPaths,
    }
    const about = h('p.quiet', 'Devices find each other by name. It needs at least one nameserver.')
    const magic = card('MagicDNS', '', about, h('label.choice', box, 'MagicDNS is on'), said)
    return [h('div.stack', entriesCard(servers.dns, ofServers), magic), entriesCard(paths.searchPaths, ofPaths), splitDns()]
  })
}

/** An entry that is an address, in one spelling; other entries as they are. */
const sameAddress = (entry: string) => {
  const found = cidr.check(entry, { bareAddress: 'host' })
  return found.ok ? found.cidr : entry
}
const sameDomain = (entry: string) => entry.toLowerCase().replace(/\.$/, '')

const parts = (entry: string) => entry.split(/[\s,]+/)
const linesOf = (split: SplitDns) => Object.entries(split).map((domain) => domain.flat().join(' '))

/** The nameservers of single domains; where a service does not show them only this part is missing. */
function splitDns(): HTMLElement {
  const place = h('div')
  const load = async () => {
    const { split } = (await client()).dns
    return [split, await split.get()] as const
  }
  const check = (entry: string) => {
    const [domain = '', ...addresses] = parts(entry)
    const missing = { severity: 'error', message: `no nameserver stands behind ${domain}` } as const
    const found = dns.checkSearchPath(domain).map(({ severity, message, hint }) => ({ severity, hint, message: `${domain}: ${message}` }))
    return [...found, ...(addresses.length ? addresses.flatMap(dns.checkNameserver) : [missing])]
  }
  const draw = ([split, stored]: Awaited<ReturnType<typeof load>>) => [
    entriesCard(linesOf(stored), {
      title: 'Split DNS',
      about: 'Resolvers for single domains, e.g. corp.example.com 10.0.0.53.',
      box: 'A domain and its nameservers',
      emptied: 'Without an entry every name is asked of the nameservers above.',
      check,
      same: (entry) => sameDomain(parts(entry)[0] ?? ''),
      send: async (entries) => {
        const wanted = new Map<string, string[]>()
        for (const [domain = '', ...addresses] of entries.map(parts)) wanted.set(domain, [...(wanted.get(domain) ?? []), ...addresses])
        return linesOf(await split.replace(Object.fromEntries(wanted)))
      },
    }),
  ]
  void fill(place, 'Asking for the nameservers of single domains …', load, draw)
  return place
}
