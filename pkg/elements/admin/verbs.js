// What the elements of a service ask about addresses and names. Must not live here: elements.

import { cidr, dns, routes } from '../common/engine.js'

export const prefix = (text) => cidr.check(text)

/** What the routes of each device are. */
const summaries = (devices) => devices.map(({ advertisedRoutes = [], enabledRoutes = [] }) => routes.summarize({ advertisedRoutes, enabledRoutes }))
export { summaries as routes }

/** An entry that is an address, in one spelling; other entries as they are. */
const sameAddress = (entry) => {
  const found = cidr.check(entry, { bareAddress: 'host' })
  return found.ok ? found.cidr : entry
}
const sameDomain = (entry) => entry.toLowerCase().replace(/\.$/, '')

function split(entry) {
  const [domain = '', ...addresses] = entry.split(/[\s,]+/)
  const missing = { severity: 'error', message: `no nameserver stands behind ${domain}` }
  const found = dns.checkSearchPath(domain).map(({ severity, message, hint }) => ({ severity, hint, message: `${domain}: ${message}` }))
  return [...found, ...(addresses.length ? addresses.flatMap(dns.checkNameserver) : [missing])]
}

/** By kind of list how an entry is checked, and a key that is equal for entries that mean the same. */
const KINDS = {
  nameservers: [dns.checkNameserver, sameAddress],
  searchPaths: [dns.checkSearchPath, sameDomain],
  split: [split, (entry) => sameDomain(entry.split(/[\s,]+/)[0])],
}

/** What is wrong with the entries of a list, one a line, each with its line; an entry that is there twice is a finding too. */
export function entries(kind, text) {
  const [check, same] = KINDS[kind]
  const seen = new Map()
  return text.split('\n').flatMap((whole, index) => {
    const [entry, line] = [whole.trim(), index + 1]
    if (!entry) return []
    const found = check(entry).map(({ severity, message, hint }) => ({ severity, message, hint, line }))
    const first = seen.get(same(entry))
    seen.set(same(entry), first ?? line)
    return first ? [...found, { severity: 'warning', message: `the same stands on line ${first}`, line }] : found
  })
}
