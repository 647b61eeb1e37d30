// Changes in their order. Each is on the disk before it is made: so nobody sees a change that may be lost, and no read waits for
// the disk. The file has the request itself; its effect follows from the state, the request and its time.
// Must not live here: the file (`store.js`), HTTP.
import { randomBytes } from 'node:crypto'
import { setImmediate as pause } from 'node:timers/promises'
import { Service, refusal } from '../../esm/node/service.js'

/** When the file is written anew: after this many milliseconds without a change, once its changes have this many bytes; far above that, at once. */
const QUIET = 1000
const SOME = 1024 * 1024
const MANY = 64 * SOME

/** For how many milliseconds waiting changes may run before reads get their turn. */
const SPELL = 10

/** The paths of `POST` requests that change nothing. */
const ASKING = /^[^?]*\/acl\/(preview|validate)(\?|$)/

/**
 * The changes of a service whose state is in `file`. `tailnet` and `apiKey` are those that the service was made with: what a path
 * means, and who is allowed what, depends on them.
 */
export class Changes {
  #service
  #file
  #apiKey
  /** The first line that this process adds: other processes may have added lines for a service with another tailnet. */
  #header
  #run = randomBytes(6).toString('hex')
  #count = 0
  #isIntroduced = false
  /** The length of the file in bytes when it was last written as a whole. */
  #whole
  #waiting = []
  /** The ids of changes that had no effect: they need not be made again. */
  #vain = []
  /** A promise while changes wait, which resolves when none does; otherwise undefined. */
  #working
  #quiet

  constructor(service, file, { tailnet, apiKey }) {
    this.#service = service
    this.#file = file
    this.#apiKey = apiKey
    this.#header = JSON.stringify({ run: this.#run, tailnet })
    this.#whole = file.length
  }

  /** The answer, or a promise of it, once the change is on the disk and made. */
  change(request) {
    if (ASKING.test(request.target)) return this.#service.answer(request, Date.now())
    return new Promise((resolve) => {
      this.#waiting.push({ id: `${this.#run}.${this.#count++}`, at: Date.now(), request, resolve })
      this.#working ??= this.#work()
    })
  }

  /** Finishes all changes and writes the file as a whole. */
  async end() {
    clearTimeout(this.#quiet)
    await this.#working
    if (this.#isIntroduced) await this.#settle()
    await this.#file.close()
  }

  async #work() {
    clearTimeout(this.#quiet)
    const grown = () => this.#file.length - this.#whole
    while (this.#waiting.length > 0) {
      await this.#make(this.#waiting.splice(0))
      if (grown() > MANY) await this.#settle()
    }
    this.#working = undefined
    if (grown() > SOME) this.#quiet = setTimeout(() => (this.#working ??= this.#settle().then(() => this.#work())), QUIET).unref()
  }

  async #make(batch) {
    const fault = await this.#written(batch)
    let began = performance.now()
    for (const one of batch) {
      one.resolve(fault ?? this.#made(one))
      if (performance.now() - began < SPELL) continue
      await pause()
      began = performance.now()
    }
  }

  /** Writes the batch to the disk. Where that fails, returns the answer to all of it, and none of it is made. */
  async #written(batch) {
    const lines = [...this.#vain.map((id) => JSON.stringify(id)), ...batch.map((one) => asLine(one, this.#apiKey))]
    try {
      const isIntroduced = this.#isIntroduced
      await this.#file.append(isIntroduced ? lines : [this.#header, ...lines], () => [this.#service.state, ...(isIntroduced ? [this.#header] : [])])
      this.#isIntroduced = true
      this.#vain = []
      return undefined
    } catch (error) {
      return refusal(500, `the state could not be saved: ${error.message}`)
    }
  }

  #made({ id, at, request }) {
    const before = this.#service.revision
    try {
      return this.#service.answer(request, at)
    } catch (error) {
      process.stderr.write(`${error?.stack ?? error}\n`)
      return refusal(500, 'the sandbox failed; see its standard error')
    } finally {
      if (this.#service.revision === before) this.#vain.push(id)
    }
  }

  /** Writes the file as a whole; a file that cannot be written stays as it is. */
  async #settle() {
    try {
      await this.#file.replace([this.#service.state])
      this.#isIntroduced = false
      this.#vain = []
    } catch (error) {
      process.stderr.write(`the state file could not be written anew: ${error.message}\n`)
    }
    this.#whole = this.#file.length
  }
}

/** The state of a file after all its changes. Throws an InvalidArgumentError for a file that is not valid. */
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

/** A change as a line of the file. `null` stands for the sandbox's own key, which may be another one next time. */
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
