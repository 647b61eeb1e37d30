// The examples as servers: starts each as its first lines say, and stops it. Must not live here: what is asserted.

import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { bundle, wasmOf } from './bundle.mjs'
import { tool } from './project.mjs'

/** A program that prints where it listens; `{ base, stop }`. */
export async function started(command, args, cwd, env) {
  const child = spawn(command, args, { cwd, env: { ...process.env, NO_COLOR: '1', PORT: '0', ...env }, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
  const closed = new Promise((resolve) => child.on('close', resolve))
  let said = ''
  const base = await new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr, child.stdio[3]]) {
      stream.setEncoding('utf8').on('data', (text) => {
        said += text
        const port = said.match(/(?:http:\/\/[\w.]+:|"port":\s*)(\d+)/)
        if (!port) return
        clearTimeout(late)
        resolve(`http://127.0.0.1:${port[1]}`)
      })
    }
    const late = setTimeout(() => child.kill(), 60_000)
    child.on('error', (error) => reject(new Error(`\`${command}\` cannot be run: ${error.message}`)))
    closed.then((code) => reject(new Error(`\`${command}\` ended with ${code} before it said where it listens\n${said.trim().slice(-2000)}`)))
  })
  const stop = async () => {
    child.kill()
    await closed
  }
  return { base, stop }
}

export const deno = (dir, file, env) =>
  started(
    tool('deno'),
    ['run', '--quiet', '--no-prompt', '--node-modules-dir=manual', '--allow-net', '--allow-env', '--allow-read', '--allow-write', `examples/deno/${file}`],
    dir,
    env,
  )

export const bun = (dir, file, env) => started(tool('bun'), [`examples/bun/${file}`], dir, env)

/** workerd with the parts of the example's configuration: its file, text bindings, and Durable Objects on the disk. */
export async function worker(dir, name, env) {
  const out = join(dir, `worker-${name}`)
  mkdirSync(join(out, 'storage'), { recursive: true })
  const { hujson } = createRequire(join(dir, 'package.json'))('tailnet-kit')
  const { main, compatibility_date, vars = {}, durable_objects } = hujson.parse(readFileSync(join(dir, `examples/cloudflare-workers/${name}.jsonc`), 'utf8'))
  const objects = durable_objects?.bindings ?? []
  const texts = Object.entries({ ...vars, ...env }).map(([key, text]) => `(name = "${key}", text = "${text}")`)
  const stored = objects.map((object) => `(name = "${object.name}", durableObjectNamespace = "${object.class_name}")`)
  await bundle(dir, `examples/cloudflare-workers/${main}`, `worker-${name}/worker.js`, {
    conditions: ['workerd', 'worker'],
    loader: { '.wasm': 'copy' },
    external: ['cloudflare:workers'],
    assetNames: '[name]',
  })
  const code = readFileSync(join(out, 'worker.js'), 'utf8')
  const wasm = wasmOf(join(dir, 'node_modules/tailnet-kit'))
    .map((path) => basename(path))
    .filter((file) => code.includes(file))
  writeFileSync(
    join(out, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js"), ${wasm.map((file) => `(name = "${file}", wasm = embed "${file}")`)}],
      compatibilityDate = "${compatibility_date}",
      bindings = [${[...texts, ...stored]}],
      durableObjectNamespaces = [${objects.map((object) => `(className = "${object.class_name}", uniqueKey = "${object.name}", enableSql = true)`)}],
      ${objects.length > 0 ? 'durableObjectStorage = (localDisk = "disk"),' : ''}
      globalOutbound = "loopback")),
    (name = "disk", disk = (path = "storage", writable = true)),
    (name = "loopback", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
`,
  )
  return started(tool('workerd'), ['serve', 'config.capnp', '--control-fd=3', '--experimental'], out, {})
}
