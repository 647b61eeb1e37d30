// Changes in their order: each is on the disk before it is made, so that nobody ever sees one that may be lost, and no read
// waits for a disk. What is written is the request itself; what it does follows from the state, the request and its time.
// Must not live here: the file (`store.js`), HTTP.
import { randomBytes } from 'node:crypto'
import { setImmediate as pause } from 'node:timers/promises'
import { Service, refusal } from '../src/service.js'

/** Once the changes in it are so many bytes the file is written anew, after so many milliseconds without a change; where there are many, at once. */
const QUIET = 1000
const SOME = 1024 * 1024
const MANY = 64 * SOME

/** Milliseconds for which changes that are waiting may keep the loop from reads. */
const SPELL = 10

/** `POST` that asks and changes nothing. */
const ASKING = /^[^?]*\/acl\/(preview|validate)(\?|$)/

/**
 * `change(request)` for a service whose state is in `file`; `end()` leaves a file at rest. `tailnet` and `apiKey` are what the
 * service was made with: what a path means, and who may what, depends on them.
 */
export function changing(service, file, { tailnet, apiKey }) {
  const run = randomBytes(6).toString('hex')
  let count = 0
  let isIntroduced = false
  let whole = file.length
  let waiting = []
  let idle
  let quiet

  /** Those that turned out to be refused: they need not be made again. */
  let vain = []

  const change = (request) => {
    if (ASKING.test(request.target)) return service.answer(request, Date.now())
    return new Promise((resolve) => {
      waiting.push({ id: `${run}.${count++}`, at: Date.now(), request, resolve })
      idle ??= work()
    })
  }

  async function work() {
    clearTimeout(quiet)
    while (waiting.length > 0) await make(waiting.splice(0))
    if (file.length - whole > MANY) await settle()
    idle = undefined
    if (waiting.length > 0) idle = work()
    else if (file.length - whole > SOME) quiet = setTimeout(() => (idle ??= settle().then(work)), QUIET).unref()
  }

  async function make(batch) {
    const fault = await written(batch)
    let began = performance.now()
    for (const { id, at, request, resolve } of batch) {
      resolve(fault ?? made(id, at, request))
      if (performance.now() - began < SPELL) continue
      await pause()
      began = performance.now()
    }
  }

  /** An answer where the batch is not on the disk: none of it is made then. */
  async function written(batch) {
    const lines = [...vain.map((id) => JSON.stringify(id)), ...batch.map((one) => asLine(one, apiKey))]
    const header = JSON.stringify({ run, tailnet })
    try {
      await file.append(isIntroduced ? lines : [header, ...lines], () => (isIntroduced ? [service.state, header] : [service.state]))
      isIntroduced = true
      vain = []
      return undefined
    } catch (error) {
      return refusal(500, `the state could not be saved: ${error.message}`)
    }
  }

  function made(id, at, request) {
    const before = service.revision
    try {
      return service.answer(request, at)
    } catch (error) {
      process.stderr.write(`${error?.stack ?? error}\n`)
      return refusal(500, 'the sandbox failed; see its standard error')
    } finally {
      if (service.revision === before) vain.push(id)
    }
  }

  /** The whole anew; a file that cannot be written stays as it is. */
  async function settle() {
    try {
      await file.replace([service.state])
      isIntroduced = false
      vain = []
    } catch (error) {
      process.stderr.write(`the state file could not be written anew: ${error.message}\n`)
    }
    whole = file.length
  }

  const end = async () => {
    clearTimeout(quiet)
    while (idle) await idle
    if (isIntroduced) await settle()
    await file.close()
  }

  return { change, end }
}

/** The state that a file stands for. Throws an InvalidArgumentError for one that makes no sense. */
export function replayed({ state, changes }, apiKey) {
  if (changes.length === 0) return state
  const vain = new Set(changes.filter((line) => typeof line === 'string'))
  const runs = new Map(changes.filter((line) => line?.run).map((line) => [line.run, line.tailnet]))
  let service = new Service({ state, apiKey }, 0)
  let present
  for (const [id, at, method, target, headers, body] of changes.filter(Array.isArray)) {
    if (vain.has(id)) continue
    const [run] = id.split('.')
    if (run !== present) service = new Service({ tailnet: runs.get(run), state: JSON.parse(service.state), apiKey }, at)
    present = run
    const named = headers.map(([name, value]) => [name, value ?? `Bearer ${apiKey}`])
    service.answer({ method, target, headers: named, body: Buffer.from(body, 'latin1') }, at)
  }
  return JSON.parse(service.state)
}

/** A change as a line of the file. The sandbox's own key is left out: `null` stands for it, and it may be another next time. */
function asLine({ id, at, request: { method, target, headers, body } }, apiKey) {
  const told = headers.map(([name, value]) => [name, name === 'authorization' && keyOf(value) === apiKey ? null : value])
  return JSON.stringify([id, at, method, target, told, body.toString('latin1')])
}

/** The key in a value of `Authorization` (RFC 7617, RFC 6750). */
function keyOf(value) {
  const [, scheme, rest] = /^\s*(\w+)\s+(.*?)\s*$/.exec(value) ?? []
  if (/^bearer$/i.test(scheme)) return rest
  return /^basic$/i.test(scheme) ? Buffer.from(rest, 'base64').toString().replace(/:$/, '') : undefined
}
