// The examples as servers: each started as its own first lines say, and stopped again. Must not live here: what is asserted.

import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { EdgeRuntime, runServer } from 'edge-runtime'
import { bundle, edgeModules, wasmOf } from './bundle.mjs'
import { tool } from './project.mjs'

/** A program that prints where it listens; `{ base, stop }`. */
async function started(command, args, cwd, env) {
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
  started(tool('deno'), ['run', '--quiet', '--no-prompt', '--node-modules-dir=manual', '--allow-net', '--allow-env', '--allow-read', '--allow-write', `examples/deno/${file}`], dir, env)

export const bun = (dir, file, env) => started(tool('bun'), [`examples/bun/${file}`], dir, env)

/** workerd with what `wrangler.toml` names: text bindings, and a Durable Object on the disk. */
export async function worker(dir, file, env) {
  const out = join(dir, `worker-${file}`)
  mkdirSync(join(out, 'storage'), { recursive: true })
  await bundle(dir, `examples/cloudflare-workers/${file}`, `worker-${file}/worker.js`, {
    conditions: ['workerd', 'worker'], loader: { '.wasm': 'copy' }, external: ['cloudflare:workers'], assetNames: '[name]',
  })
  const code = readFileSync(join(out, 'worker.js'), 'utf8')
  const wasm = wasmOf(join(dir, 'node_modules/tailnet-kit')).map((path) => basename(path)).filter((name) => code.includes(name))
  const objects = code.includes('DurableObject')
  writeFileSync(join(out, 'config.capnp'), `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js"), ${wasm.map((name) => `(name = "${name}", wasm = embed "${name}")`)}],
      compatibilityDate = "2025-09-01",
      bindings = [${Object.entries(env).map(([name, text]) => `(name = "${name}", text = "${text}")`)}${objects ? ', (name = "SERVICE", durableObjectNamespace = "Service")' : ''}],
      ${objects ? 'durableObjectNamespaces = [(className = "Service", uniqueKey = "service", enableSql = true)], durableObjectStorage = (localDisk = "disk"),' : ''}
      globalOutbound = "loopback")),
    (name = "disk", disk = (path = "storage", writable = true)),
    (name = "loopback", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
`)
  return started(tool('workerd'), ['serve', 'config.capnp', '--control-fd=3', '--experimental'], out, {})
}

/** The route under the runtime that Next uses at the edge. */
export async function next(dir, env) {
  const route = 'examples/next/app/api/tailnet/[...path]/route.js'
  writeFileSync(join(dir, 'next.mjs'), `import * as route from './${route}'
addEventListener('fetch', (event) => event.respondWith(route[event.request.method](event.request)))\n`)
  const define = Object.fromEntries(Object.entries(env).map(([name, text]) => [`process.env.${name}`, JSON.stringify(text)]))
  await bundle(dir, 'next.mjs', 'next.js', { format: 'iife', conditions: ['edge-light'], plugins: [edgeModules], define })
  const wasm = wasmOf(join(dir, 'node_modules/tailnet-kit'))
  const wasmModules = Object.fromEntries(wasm.map((path) => [path, new WebAssembly.Module(readFileSync(path))]))
  const runtime = new EdgeRuntime({ initialCode: readFileSync(join(dir, 'next.js'), 'utf8'), extend: (context) => Object.assign(context, { wasmModules }) })
  const server = await runServer({ runtime, host: '127.0.0.1' })
  return { base: server.url.replace(/\/$/, '').replace('localhost', '127.0.0.1'), stop: () => server.close() }
}
