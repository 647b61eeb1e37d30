// The guard of a policy: which file it is, which policies it names, and which of its assertions a change takes out.
// Must not live here: whether an assertion holds, how one is told (`assertions.js`).
import { basename, dirname, join, resolve } from 'node:path'
import { hujson, isTailnetError, policy } from 'tailnet-kit'
import { flag, text } from './arguments.js'
import { Failure } from './failure.js'
import { inFile, isFile, read } from './files.js'
import { versionAt } from './git.js'

/** Options of commands that judge by a guard. */
export const GUARD = {
  guard: text('FILE', 'assertions that must hold; tailnet.guard.hujson beside the policy by default, where there is one'),
  strict: flag('an assertion that neither text nor devices decide fails, too'),
}

/** What to do about a guard that is none. */
const FORM = 'write a list of assertions, as `tailnet-kit review --help` shows'

/** The guard file that lies beside a policy, by its usual name, or none for standard input. */
const besideOf = (file) => (file === '-' ? undefined : join(dirname(file), 'tailnet.guard.hujson'))

/** The guard of a policy: the file given, else the one beside it; undefined where there is none. Throws a Failure that names the file. */
export async function guardOf(given, file) {
  const beside = besideOf(file)
  if (given !== undefined) return guardIn(given)
  return beside !== undefined && (await isFile(beside)) ? guardIn(beside) : undefined
}

/** The files that a guard may be in and those that it names, readable or not; for `--watch`. */
export async function guardFiles(given, file) {
  const own = given ?? besideOf(file)
  if (own === undefined) return []
  // A guard that cannot be read names nothing; judging by it says so.
  const named = read(own).then((text) => [...basesOf(own, text).values()])
  return [own, ...(await named.catch(() => []))]
}

/**
 * A guard with its text and the policies that it names, by name. The engine checks the assertions themselves. `without` gets the name and the error
 * of a policy that cannot be read, which else ends it.
 */
async function guardIn(file, readAt = read, without = fail) {
  const text = await readAt(file)
  const bases = {}
  for (const [name, path] of basesOf(file, text)) {
    try {
      bases[name] = await readAt(path)
    } catch (error) {
      without(name, error)
    }
  }
  return { file, text, bases }
}

function fail(_name, error) {
  throw error
}

/** The files of the policies that a guard names, by name. */
function basesOf(file, text) {
  const value = inFile(file, () => hujson.parse(text))
  const named = [value]
    .flat()
    .flatMap((assertion) => [assertion?.noMoreThan, assertion?.sameAs])
    // A whole policy as text names no file; the engine says so.
    .filter((name) => typeof name === 'string' && !isText(name))
  return new Map(named.map((name) => [name, join(dirname(file), name)]))
}

const isText = (name) => /[{\n]/.test(name)

/** The result of `run`, which takes the guard to be one. The context is judged already, so it is the guard that the engine may not take. */
export function byGuard(guard, run) {
  try {
    return run()
  } catch (error) {
    if (guard && isTailnetError(error, 'invalid_argument'))
      throw new Failure(`${guard.file}: ${error.message}`, { advice: FORM, place: { file: guard.file, ...placeIn(error) } })
    throw error
  }
}

/** The place that the engine names in its words. */
function placeIn({ message }) {
  const [, line, column] = /^line (\d+), column (\d+): /.exec(message) ?? []
  return { line, column }
}

/** How the assertions of a guard end for a policy that has answers. */
export const proved = (acl, guard, context) => byGuard(guard, () => policy.prove(acl, guard.text, context, { bases: guard.bases }))

/**
 * These results, where the undecided ones have `held`: whether they held for the earlier policy `acl`. A change that leaves open what was certain has
 * opened it under a condition.
 */
export function withEarlier(results, acl, context, bases) {
  const open = results.filter(({ holds }) => holds === null)
  if (open.length === 0) return results
  const claims = open.map(({ assertion }) => assertion)
  const before = policy.prove(acl, claims, context, { bases }).results
  return results.map((result) => ({ ...result, held: before[open.indexOf(result)]?.holds === true }))
}

/**
 * The guard before a change: `base` is the earlier policy, with its revision where it comes from git. It is looked for where the guard of
 * `head` is, beside `head`, and beside the earlier policy. Undefined where there was none; `fault` where it cannot be used.
 */
export async function earlierGuard(base, head, guard) {
  const { revision, path } = base
  const places = [guard?.file, besideOf(head.file), path === undefined ? undefined : besideOf(path)].filter((place) => place !== undefined)
  if (revision === undefined) return earlierBeside(base, guard, places)
  const folder = dirname(head.file)
  for (const place of new Set(places)) {
    const found = await versionAt(revision, place, folder)
    if (found === undefined) continue
    const there = async (file) => (file === place ? found : await versionAt(revision, file, folder, false))
    return usable(`${revision}:${found.path}`, place, async (file) => textOf(await there(file), file))
  }
  return undefined
}

/** The same where the earlier policy is a file: another file with the name of the guard beside it. */
async function earlierBeside({ file }, guard, [own]) {
  const place = file === '-' || own === undefined ? undefined : join(dirname(file), basename(own))
  if (place === undefined || (guard && resolve(place) === resolve(guard.file)) || !(await isFile(place))) return undefined
  return usable(place, place)
}

function textOf(found, file) {
  if (found === undefined) throw new Failure(`there was no ${file}`)
  return found.text
}

/** The guard in `place`, called `file`; `lacking` has the faults of the policies that it names, by name. */
async function usable(file, place, readAt) {
  const lacking = new Map()
  try {
    return { ...(await guardIn(place, readAt, (name, error) => lacking.set(name, error.message))), file, lacking }
  } catch (error) {
    return { file, fault: error.message }
  }
}

/**
 * What a change does to the guard: `base`, the one before; `gone`, the assertions that only that has, each with how it ends for the later
 * policy and its line in `base`; `added`, those that only the later guard has, with their lines; `fault`, why `base` cannot be used, and `lacks`, why
 * only a part of it can.
 */
export function guardChange(base, guard, acl, context) {
  if (base.fault !== undefined) return { base, gone: [], added: [], fault: base.fault }
  const [old, now] = [base, guard].map((one) => (one === undefined ? [] : listed(one)))
  const without = (list, others) => list.filter(({ key }) => !others.some((other) => other.key === key))
  const [gone, faults] = [[], []]
  // One by one: what is wrong with one assertion takes nothing from the others.
  for (const { assertion, line } of without(old, now)) {
    const found = endOf(assertion, base, acl, context)
    if (found.fault === undefined) gone.push({ ...found, line })
    else faults.push(found.fault)
  }
  const [why] = faults
  return { base, gone, added: without(now, old), ...(faults.length === old.length ? { fault: why } : { lacks: why }) }
}

/** How the assertions of an earlier guard that can be read end for a policy, each with its line. */
export const endsOf = (base, acl, context) =>
  listed(base)
    .map(({ assertion, line }) => ({ ...endOf(assertion, base, acl, context), line }))
    .filter(({ fault }) => fault === undefined)

/** How an assertion of an earlier guard ends; or its fault. */
function endOf(assertion, { bases, lacking }, acl, context) {
  const fault = lacking.get(assertion?.noMoreThan ?? assertion?.sameAs)
  if (fault !== undefined) return { fault }
  try {
    return policy.prove(acl, [assertion], context, { bases }).results[0]
  } catch (error) {
    if (!isTailnetError(error, 'invalid_argument')) throw error
    return { fault: error.message }
  }
}

/** The assertions of a guard with their lines; `key` is the same for two that claim the same, whatever their reasons and their layout. */
function listed({ text, bases }) {
  const value = hujson.parse(text)
  return (Array.isArray(value) ? value : []).map((assertion, at) => {
    const { why: _, ...claim } = Object(assertion)
    return { assertion, line: hujson.find(text, `/${at}`).line, key: JSON.stringify(plain(claim, bases)) }
  })
}

/** A claim in one form: names in order, each once, and of a policy that it names the text. */
function plain(claim, bases) {
  const sided = ([key, value]) => {
    if (['from', 'to', 'users'].includes(key)) return [key, [...new Set([value].flat())].sort()]
    if (key === 'noMoreThan' || key === 'sameAs') return [key, meant(value, bases)]
    return [key, typeof value === 'object' && value !== null ? plain(value, bases) : value]
  }
  return Object.entries(claim)
    .map(sided)
    .sort(([one], [other]) => (one < other ? -1 : 1))
}

function meant(value, bases) {
  const text = typeof value === 'string' && Object.hasOwn(bases, value) ? bases[value] : value
  return typeof text === 'string' && hujson.tryParse(text).ok ? hujson.minimize(text) : text
}
