// The verb `changes`: what a change of a policy does, and the places of both texts that are its causes. It runs where the engine is. Must not live here:
// words, which cause belongs to which effect (`attribution.js`).

import { hujson, policy } from '../common/engine.js'

const segments = (pointer) =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
const escaped = (part) => part.replaceAll('~', '~0').replaceAll('/', '~1')

/** The line of a place that is named by modern keys, in a text with any spelling of them; of what the text spells otherwise, that of what is around it. */
function lineOf(text, parsed, pointer) {
  let [value, found] = [parsed, '']
  for (const part of segments(pointer)) {
    const keys = typeof value === 'object' && value !== null ? Object.keys(value) : []
    const key = keys.find((name) => name === part) ?? keys.find((name) => name.toLowerCase() === part.toLowerCase())
    if (key === undefined) break
    value = value[key]
    found += `/${escaped(key)}`
  }
  return hujson.find(text, found)?.line ?? 1
}

const strings = (value) => (typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [])

/** What names are defined as, and what rules and owners mention, in one text. */
function mentions(text) {
  const parsed = policy.toJSON(text)
  const { groups, hosts, ipsets, postures, tagowners, tagOwners = tagowners, acls = [], grants = [], ssh = [] } = parsed
  const entries = (of) => Object.entries(of ?? {}).map(([name, value]) => [name, strings(value)])
  const rules = Object.entries({ acls, grants, ssh }).flatMap(([section, list]) => list.map((rule, index) => [`/${section}/${index}`, strings(rule)]))
  const owners = entries(tagOwners).map(([tag, names]) => [`/tagOwners/${escaped(tag)}`, names])
  return { definitions: Object.fromEntries([groups, hosts, ipsets, postures].flatMap(entries)), rules: Object.fromEntries([...rules, ...owners]) }
}

const DEFINING = ['groups', 'hosts', 'ipsets', 'postures', 'tagOwners']

/** A change with its place: the line of the new text, or of the old one for what is gone; and what its two values have not in common. */
function placed({ pointer, kind, before, after }, texts, parsed) {
  const side = kind === 'removed' ? 'base' : 'value'
  const [section, name] = segments(pointer)
  const names = !DEFINING.includes(section) ? [] : name === undefined ? Object.keys({ ...before, ...after }) : [name]
  const [was, is] = [strings(before), strings(after)]
  const apart = [...was.filter((each) => !is.includes(each)), ...is.filter((each) => !was.includes(each))]
  return { pointer, kind, text: side, line: lineOf(texts[side], parsed[side], pointer), section, names, apart }
}

export function changes(base, value, context, options) {
  const review = policy.review(base, value, context, options)
  const texts = { base, value }
  const parsed = { base: hujson.parse(base), value: hujson.parse(value) }
  return {
    review,
    // Of what changes with the network, the text need not be the cause.
    isTextAlone: options === undefined || options === null,
    causes: review.changes.map((change) => placed(change, texts, parsed)),
    mentions: { base: mentions(base), value: mentions(value) },
  }
}
