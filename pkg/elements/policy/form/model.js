// A policy as rows of a form, and the edits of its text that rows ask for, which keep comments and layout. Must not live here: how rows look.

import { hujson, policy } from '../../common/engine.js'

/** The lists of rules, and the fields of each that a row shows: the name of today first, then the older one. */
const RULES = {
  acls: [['src', 'users'], ['dst', 'ports'], ['proto']],
  grants: [['src'], ['dst'], ['ip']],
  ssh: [['src'], ['dst'], ['users'], ['action']],
}
/** The sections that give names to lists, and the edit that sets one. A host is a list of one address. */
const NAMES = { groups: 'setGroup', tagOwners: 'setTagOwners', hosts: 'setHost', ipsets: 'setIpset', postures: 'setPosture' }

const strings = (value) => (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]).map(String)
/** A member by any of its names, in any case, as the service reads them. */
const member = (object, names) => Object.keys(object).find((key) => names.some((name) => key.toLowerCase() === name.toLowerCase()))

function ruleRow(section, rule, index, pointer) {
  const fields = RULES[section].map((names) => ({ name: names[0], entries: strings(rule[member(rule, names)]) }))
  const shown = [...RULES[section].flat(), 'action']
  const rest = Object.keys(rule).filter((key) => !shown.includes(key.toLowerCase()))
  return { index, pointer, fields, rest: rest.map((key) => `${key}: ${JSON.stringify(rule[key])}`) }
}

/** The rows of each section. Throws a HuJSONSyntaxError. */
export function formOf(text) {
  const document = hujson.parse(text)
  const object = typeof document === 'object' && document !== null && !Array.isArray(document) ? document : {}
  const section = (name, rowsOf, empty) => {
    const key = member(object, [name]) ?? name
    return { name, rows: rowsOf(object[key] ?? empty, `/${key}`) }
  }
  const rules = Object.keys(RULES).map((name) =>
    section(name, (list, at) => (Array.isArray(list) ? list.map((rule, index) => ruleRow(name, Object(rule), index, `${at}/${index}`)) : []), []),
  )
  const names = Object.keys(NAMES).map((name) =>
    section(
      name,
      (of, at) => Object.entries(Object(of)).map(([each, value]) => ({ name: each, pointer: `${at}/${escaped(each)}`, entries: strings(value) })),
      {},
    ),
  )
  return { rules, names, disabled: policy.edit.disabled(text).map(({ section: of, line, offset }) => ({ section: of, line, offset })) }
}

const escaped = (name) => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** A rule with a field set, under the name that it has there. */
function withField(section, rule, field, entries) {
  const names = RULES[section].find(([name]) => name === field)
  const key = member(rule, names) ?? field
  const isSingle = ['proto', 'action'].includes(field)
  const { [key]: _, ...others } = rule
  if (entries.length === 0 && isSingle) return others
  return { ...rule, [key]: isSingle ? entries[0] : entries }
}

const EDITS = {
  field(text, section, index, field, entries) {
    const object = hujson.parse(text)
    const rule = object[member(object, [section])][index]
    return policy.edit.replace(text, section, index, withField(section, rule, field, entries))
  },
  add(text, section, fields) {
    const begun = section === 'grants' ? {} : { action: 'accept' }
    const rule = Object.entries(fields).reduce((made, [field, entries]) => (entries.length > 0 ? withField(section, made, field, entries) : made), begun)
    return policy.edit.add(text, section, rule)
  },
  remove: policy.edit.remove,
  move: policy.edit.move,
  disable: policy.edit.disable,
  enable: policy.edit.enable,
  name: (text, section, name, entries) => policy.edit[NAMES[section]](text, name, section === 'hosts' && entries ? (entries[0] ?? '') : entries),
  rename: policy.edit.rename,
}

/** The text after an edit of a row. */
export const formEdit = (text, edit, ...of) => EDITS[edit](text, ...of)

/** The line of a place of the text. */
export function lineOf(text, pointer) {
  const place = hujson.find(text, pointer)
  return place ? place.line : 1
}
