// The namespaces `cidr`, `routes` and `dns`. Must not live here: any judgement of a prefix, a route or a name.

import * as wasm from '../wasm/tailnet_kit_bg.js'
import { invalid, json } from './arguments.js'
import { call } from './instance.js'
import { fill, take } from './text.js'

/**
 * A line of the batch's answer as an object: `4` or `6` and the prefix, if it is not what was given; or a tab and the parts
 * of a refusal.
 */
function verdict(line, given) {
  const mark = line.charCodeAt(0)
  if (mark === 52 || mark === 54) return { ok: true, cidr: line.length > 1 ? line.slice(1) : given, version: mark - 48 }
  const [, code, message, suggestion] = line.split('\t')
  return suggestion === undefined ? { ok: false, code, message } : { ok: false, code, message, suggestion }
}

/** Texts go in parted by line feeds, in one piece; where some hold line feeds themselves, one by one. */
function judge(prefixes, options) {
  const length = wasm.cidr_check(fill(prefixes.join('\n')), prefixes.length, options)
  if (length === undefined) return prefixes.flatMap((prefix) => judge([prefix], options))
  return take(length).split('\n').map((line, at) => verdict(line, prefixes[at]))
}

const isText = (prefix) => typeof prefix === 'string'

/** What is no text is judged by the name of its type, which no prefix has. */
const textOf = (prefix) => (isText(prefix) ? prefix : typeof prefix)

function checkMany(prefixes, options = {}) {
  if (!Array.isArray(prefixes)) invalid('checkMany takes an array of texts')
  const texts = prefixes.every(isText) ? prefixes : prefixes.map(textOf)
  return texts.length === 0 ? [] : judge(texts, json(options))
}

export const cidr = {
  check: call((prefix, options) => checkMany([prefix], options)[0]),
  checkMany: call(checkMany),
  normalize: call((prefix, options) => wasm.cidr_normalize(json([prefix, options]))),
  contains: call((outer, inner) => wasm.cidr_contains(json([outer, inner]))),
  overlaps: call((a, b) => wasm.cidr_overlaps(json([a, b]))),
  merge: call((prefixes) => wasm.cidr_merge(json(prefixes))),
  exclude: call((base, minus) => wasm.cidr_exclude(json([base, minus]))),
  sameSet: call((a, b) => wasm.cidr_same_set(json([a, b]))),
}

export const routes = { summarize: call((record) => wasm.routes_summarize(json(record))) }

export const dns = {
  checkNameserver: call((address) => wasm.dns_check_nameserver(json(address))),
  checkSearchPath: call((name) => wasm.dns_check_search_path(json(name))),
}
