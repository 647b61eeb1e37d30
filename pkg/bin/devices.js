// Answers by device: the lines of each device under its name. Must not live here: the answers.
import { Failure } from './failure.js'

/** Throws a Failure where there are no devices to answer for. */
export function expectDevices({ devices }) {
  if (devices === undefined) throw new Failure('--devices is missing; see --help')
}

/** The lines of each device under its name; `none` where it has none. */
export function byDevice(answer, { context }, lineOf, none) {
  const names = new Map((context.devices ?? []).map((device) => [device.id, device.name || device.hostname]))
  const all = Object.entries(answer)
  if (all.length === 0) return ['no devices are known']
  return all.flatMap(([id, rules]) => [`${names.get(id) ?? id} (${id})`, ...(rules.length === 0 ? [none] : rules.map(lineOf)).map((line) => `  ${line}`)])
}
