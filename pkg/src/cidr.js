// The namespace `cidr`. Must not live here: any judgement of a prefix.

import { invalid, json } from '../../common/arguments.js'
import { call, fill, read as readShort, take, wasm, write as writeShort } from './addresses.js'

/** How many texts are checked at a time: few enough that they and the answer stay in the processor's cache. */
const BATCH = 1_000

// Marks of the answer (`verdicts` in `crates/wasm/src/cidr.rs`).
const [GIVEN_4, GIVEN_6, OTHER_4, OTHER_6, REFUSED] = Array.from('46.:!', (mark) => mark.charCodeAt(0))

/** The answer for a batch as objects. It has a mark for each text, then lines with what the marks do not say. */
function read(answer, texts, verdicts) {
  const lines = answer.split('\n')
  const marks = lines[0]
  let line = 0
  for (let at = 0; at < texts.length; at++) {
    const mark = marks.charCodeAt(at)
    if (mark === GIVEN_4) verdicts.push({ ok: true, cidr: texts[at], version: 4 })
    else if (mark === GIVEN_6) verdicts.push({ ok: true, cidr: texts[at], version: 6 })
    else if (mark === OTHER_4) verdicts.push({ ok: true, cidr: lines[++line], version: 4 })
    else if (mark === OTHER_6) verdicts.push({ ok: true, cidr: lines[++line], version: 6 })
    else if (mark === REFUSED) verdicts.push({ ok: false, code: lines[++line], message: lines[++line] })
    else verdicts.push({ ok: false, code: lines[++line], message: lines[++line], suggestion: lines[++line] })
  }
}

/** Passes the texts in one piece, separated by line feeds; one by one where some contain line feeds. */
function judge(texts, options, verdicts) {
  const length = wasm.cidr_check(fill(texts.join('\n')), texts.length, options)
  if (length === undefined) for (const text of texts) judge([text], options, verdicts)
  else read(take(length), texts, verdicts)
}

const isText = (prefix) => typeof prefix === 'string'

/** The text of a prefix. A value that is not text is checked by the name of its type, which is no prefix. */
const textOf = (prefix) => (isText(prefix) ? prefix : prefix === null ? 'null' : typeof prefix)

function verdictsOf(prefixes, options) {
  if (!Array.isArray(prefixes)) invalid('checkMany takes an array of texts')
  const texts = prefixes.every(isText) ? prefixes : prefixes.map(textOf)
  const given = options === undefined ? undefined : json(options)
  const verdicts = []
  for (let from = 0; from < texts.length; from += BATCH) judge(texts.slice(from, from + BATCH), given, verdicts)
  return verdicts
}

/**
 * The answer of `cidr_short` (`crates/wasm/src/cidr.rs`) for a short text without options; 0 for any other. The version is in the last
 * three bits; the bits above are the length of the text that it wrote, if any.
 */
const short = (text, options, mask) => (options === undefined && writeShort(text) ? wasm.cidr_short(text.length, mask) : 0)

/** The canonical form of the text with this answer. */
const canonical = (said, text) => (said < 8 ? text : readShort(said >> 3))

function verdictOf(prefix, options) {
  const said = short(prefix, options, false)
  if (said & 7) return { ok: true, cidr: canonical(said, prefix), version: said & 7 }
  if (said === 0) return verdictsOf([prefix], options)[0]
  const verdicts = []
  read(take(said >> 3), [prefix], verdicts)
  return verdicts[0]
}

function normal(prefix, options) {
  const said = short(prefix, options, true)
  return said & 7 ? canonical(said, prefix) : wasm.cidr_normalize(json([prefix, options]))
}

export const check = call(verdictOf)
export const checkMany = call(verdictsOf)
export const normalize = call(normal)
export const contains = call((outer, inner) => wasm.cidr_contains(json([outer, inner])))
export const overlaps = call((a, b) => wasm.cidr_overlaps(json([a, b])))
export const merge = call((prefixes) => wasm.cidr_merge(json([prefixes])))
export const exclude = call((base, minus) => wasm.cidr_exclude(json([base, minus])))
export const sameSet = call((a, b) => wasm.cidr_same_set(json([a, b])))
