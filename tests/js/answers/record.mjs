// Runs the calls beside it and prints each answer as the text of a TypeScript value. Of many answers, and of many elements of a list, it prints those
// that have something new. Thrown errors are recorded too. Must not live here: calls, types.

import { readFileSync } from 'node:fs'
import * as kit from 'tailnet-kit'
import { language } from 'tailnet-kit/language'
import { exchanged } from './exchanged.mjs'
import { functions } from './functions.mjs'
import { ofPolicy, once } from './offline.mjs'
import { namespaces, service, without } from './service.mjs'

const policies = JSON.parse(readFileSync('policies.json', 'utf8'))
const answers = []
const shown = new Set()

/** The kind of a value: each short word is one, all other texts are one, all numbers are one, and so on. */
const kindOf = (value) =>
  Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value === 'string' && /^[a-z][\w:-]{0,24}$/i.test(value) ? value : typeof value

/** The part of a value that is new at this place; undefined where nothing is. */
function fresh(value, place) {
  if (Array.isArray(value)) {
    const parts = value.map((one, index) => fresh(one, place.endsWith('overlaps[]') ? `${place}${index}` : `${place}[]`))
    const news = value.length === 0 ? isNew(`${place} none`) : parts.some((part) => part !== undefined)
    if (!news) return undefined
    return value.every((one) => typeof one !== 'object' || one === null) ? value : parts.filter((part) => part !== undefined)
  }
  if (typeof value !== 'object' || value === null) return isNew(`${place} ${kindOf(value)}`) ? value : undefined
  const entries = Object.entries(value)
  const self = isNew(`${place}{${entries.map(([name, member]) => `${name}: ${kindOf(member)}`).sort()}}`)
  const parts = entries.map(([name, member]) => [name, fresh(member, `${place}.${name}`)])
  if (!self && parts.every(([, part]) => part === undefined)) return undefined
  // All members are needed to match the declaration; of lists the new part is enough.
  return Object.fromEntries(entries.map(([name, member], index) => [name, parts[index][1] ?? (Array.isArray(member) ? member.slice(0, 1) : member)]))
}

const isNew = (fact) => !shown.has(fact) && Boolean(shown.add(fact))

/** The value as a literal of a program. Throws for what is not plain data, which no answer may contain. */
function literal(value) {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null)
    return ['function', 'symbol', 'bigint'].includes(typeof value) ? `(${typeof value})` : typeof value === 'string' ? JSON.stringify(value) : String(value)
  if (![Object.prototype, null].includes(Object.getPrototypeOf(value))) return `(new ${value.constructor?.name})`
  return `{ ${Object.entries(value)
    .map(([name, member]) => `[${JSON.stringify(name)}]: ${literal(member)}`)
    .join(', ')} }`
}

function record(type, value) {
  const part = fresh(value, type)
  if (part !== undefined) answers.push({ type, text: literal(part) })
}

/** The members of an error beside those of every Error. */
function recordError(name, error) {
  if (!kit.isTailnetError(error)) throw new Error(`${name} threw ${error?.stack ?? error}`)
  const { message, stack, cause, headers, ...fields } = error
  record(`Thrown<'${error.code}'>`, { code: error.code, ...fields })
}

async function run(list, calls, ...given) {
  for (const [name, call] of Object.entries(calls)) {
    let threw = true
    try {
      const answer = await call(...given)
      threw = false
      record(`Answer<typeof ${list}, '${name}'>`, answer)
      ended.add(name)
    } catch (error) {
      if (!threw) throw error
      recordError(name, error)
    }
  }
}

const ended = new Set()
await run('once', once)
await run('service', service)
await run('exchanged', exchanged)
for (const given of policies) await run('ofPolicy', ofPolicy, given)

const { policy, hujson, cidr, routes, dns } = kit
const there = Object.entries({ policy, hujson, cidr, routes, dns, language, ...namespaces }).flatMap(([path, value]) => [...functions(value, path)])
const asked = new Set([...ended].map((name) => name.split(' ')[0]))
const never = there.filter((name) => !asked.has(name) && !without.includes(name))
const failed = Object.keys({ ...ofPolicy, ...once, ...service }).filter((name) => !name.startsWith('error ') && !ended.has(name))
console.log(JSON.stringify({ answers, never, failed, calls: ended.size }))
