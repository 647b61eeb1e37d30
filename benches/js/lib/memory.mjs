// The memory that reading a device list takes, each way in a process of its own, beside what the engine takes for the same bytes.
// Must not live here: time.
//
// Run as a program, `node --expose-gc memory.mjs kit|engine FILE`, it reads the list once and prints bytes.

import { execFileSync } from 'node:child_process'
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { devices } from './policies.mjs'

const ROUNDS = 5

/** A table of ratios, at the best of some processes each. */
export function memory(count) {
  const dir = mkdtempSync(join(tmpdir(), 'tailnet-kit-'))
  const file = join(dir, 'devices.json')
  writeFileSync(file, JSON.stringify({ devices: devices(count) }))
  const once = (way) => JSON.parse(execFileSync(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url), way, file]))
  const best = (way) => {
    const seen = Array.from({ length: ROUNDS }, () => once(way))
    return Object.fromEntries(Object.keys(seen[0]).map((name) => [name, Math.min(...seen.map((one) => one[name]))]))
  }
  const [kit, engine] = [best('kit'), best('engine')]
  rmSync(dir, { recursive: true })
  const row = (input, value, target = null) => ({ input, target, results: { 'tailnet-kit': { value } } })
  return {
    title: `devices.list of ${count.toLocaleString('en')} devices: memory, ratio to \`await response.json()\` of the same bytes (less is better)`,
    unit: '',
    columns: ['tailnet-kit'],
    rows: [
      row('at most, during the call', kit.peak / engine.peak, { atMost: 2 }),
      row('kept, with the list', kit.kept / engine.kept, { atMost: 2 }),
      row('MiB by which the wasm grew', kit.wasm / 2 ** 20),
    ],
  }
}

/** Bytes: the highest that the process ever had, and what is still held afterwards, over what it had before. */
async function measure(way, file) {
  const memories = spyOnWasm()
  const { TailnetClient } = way === 'kit' ? await import('tailnet-kit') : {}
  const answer = () => new Response(Readable.toWeb(createReadStream(file)), { headers: { 'content-type': 'application/json' } })
  const read =
    way === 'kit'
      ? () =>
          new TailnetClient({ baseURL: 'http://127.0.0.1/', tailnet: 'example.com', apiKey: 'tskey-bench', fetch: async () => answer() }).devices.list({
            fields: 'all',
          })
      : async () => (await answer().json()).devices
  const held = () => (gc(), process.memoryUsage().heapUsed + process.memoryUsage().external)
  const grown = () => memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0)
  const before = { held: held(), resident: process.memoryUsage().rss, wasm: grown() }
  const list = await read()
  const peak = process.resourceUsage().maxRSS * 1024 - before.resident
  const kept = held() - before.held
  return { peak, kept, wasm: grown() - before.wasm, length: list.length }
}

/** The memories of the modules started from now on. */
function spyOnWasm() {
  const memories = []
  const { Instance } = WebAssembly
  WebAssembly.Instance = function (...args) {
    const instance = new Instance(...args)
    memories.push(instance.exports.memory)
    return instance
  }
  return memories
}

const [, program, ...args] = process.argv
if (program === fileURLToPath(import.meta.url)) console.log(JSON.stringify(await measure(...args)))
