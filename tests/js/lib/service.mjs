// The service over HTTP, as a user starts it: `npx tailnet-kit sandbox` of the installed tarball. Must not live here: calls.

import { spawn } from 'node:child_process'
import { project } from './project.mjs'

/** The base URL that the command prints; otherwise the fault, which each case that needs the service reports. */
export async function startService(tarball) {
  const dir = await project(tarball)
  const child = spawn(process.execPath, ['node_modules/tailnet-kit/bin/tailnet-kit.js', 'sandbox', '--port', '0'], {
    cwd: dir,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const baseURL = await new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        said += text
        const url = said.match(/http:\/\/[\w.:[\]]+/)
        if (url && said.includes('\n')) resolve(url[0])
      })
    }
    child.on('close', () => resolve(null))
  })
  return { baseURL, fault: baseURL ? null : `the command did not start: ${said.trim().split('\n').at(-1)}`, stop: () => child.kill() }
}
