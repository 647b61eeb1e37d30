// Runs a worker of several modules in workerd and sends it one request. Must not live here: the worker.

import { spawn } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tool } from './project.mjs'

/** With this date a worker may never compile wasm from bytes: the strictest case. */
const COMPATIBILITY_DATE = '2024-09-23'

/** The worker's answer to one request, as text. `dir` holds its modules; `worker.js` is the main one. */
export async function askWorker(dir) {
  const modules = readdirSync(dir)
    .filter((name) => /\.(js|wasm)$/.test(name))
    .sort((a) => (a === 'worker.js' ? -1 : 1))
  const listed = modules.map((name) => `(name = "${name}", ${name.endsWith('.js') ? 'esModule' : 'wasm'} = embed "${name}")`)
  writeFileSync(
    join(dir, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [${listed.join(', ')}], compatibilityDate = "${COMPATIBILITY_DATE}", globalOutbound = "loopback")),
    (name = "loopback", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
`,
  )
  const child = spawn(tool('workerd'), ['serve', 'config.capnp', '--control-fd=3'], { cwd: dir, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
  try {
    const port = await listening(child)
    return await (await fetch(`http://127.0.0.1:${port}/`)).text()
  } finally {
    child.kill()
  }
}

function listening(child) {
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  return new Promise((resolve, reject) => {
    child.stdio[3].setEncoding('utf8').on('data', (text) => {
      const port = text.match(/"port":\s*(\d+)/)
      if (port) resolve(port[1])
    })
    child.on('error', (error) => reject(new Error(`workerd cannot be run: ${error.message}`)))
    child.on('close', (code) => reject(new Error(`workerd ended with ${code}\n${said.trim()}`)))
  })
}
