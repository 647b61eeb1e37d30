// The namespaces `cidr`, `routes` and `dns`. Must not live here: any judgement of a prefix, a route or a name.

import * as wasm from '../wasm/tailnet_kit_bg.js'
import { call } from './instance.js'

/** A line of the batch's answer as an object: `4` or `6` and the prefix, or a tab and the parts of a refusal. */
function verdict(line) {
  const mark = line.charCodeAt(0)
  if (mark === 52) return { ok: true, cidr: line.slice(1), version: 4 }
  if (mark === 54) return { ok: true, cidr: line.slice(1), version: 6 }
  const [, code, message, suggestion] = line.split('\t')
  return suggestion === undefined ? { ok: false, code, message } : { ok: false, code, message, suggestion }
}

/** Texts go in parted by line feeds, in one piece; those that hold line feeds themselves go one by one. */
function checkMany(prefixes, options) {
  if (!Array.isArray(prefixes)) throw { code: 'invalid_argument', message: 'checkMany takes an array of strings' }
  if (prefixes.length === 0) return []
  const lines = wasm.cidr_check(prefixes.join('\n'), prefixes.length, JSON.stringify(options ?? {}))
  return lines === undefined ? prefixes.flatMap((prefix) => checkMany([prefix], options)) : lines.split('\n').map(verdict)
}

/** The argument as JSON text; what JSON cannot say is `null`, which no export takes. */
const withOne = (fn) => call((value) => fn(JSON.stringify(value) ?? 'null'))

export const cidr = {
  check: call((prefix, options) => checkMany([prefix], options)[0]),
  checkMany: call(checkMany),
  normalize: call((prefix, options) => wasm.cidr_normalize(JSON.stringify([prefix, options]))),
  contains: call((outer, inner) => wasm.cidr_contains(JSON.stringify([outer, inner]))),
  overlaps: call((a, b) => wasm.cidr_overlaps(JSON.stringify([a, b]))),
  merge: withOne(wasm.cidr_merge),
  exclude: call((base, minus) => wasm.cidr_exclude(JSON.stringify([base, minus]))),
  sameSet: call((a, b) => wasm.cidr_same_set(JSON.stringify([a, b]))),
}

export const routes = { summarize: withOne(wasm.routes_summarize) }

export const dns = {
  checkNameserver: withOne(wasm.dns_check_nameserver),
  checkSearchPath: withOne(wasm.dns_check_search_path),
}
