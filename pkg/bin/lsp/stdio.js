// The language server of a process: standard input and output, and a file of devices. Must not live here: what it answers.
import { createConnection } from '../vendor/lsp.js'
import { known } from './known.js'
import { complaint, serve } from './server.js'

/** Serves until the editor says so; then the connection ends the process, with the exit code that the protocol asks for. */
export function serveStdio({ devices, dialect }) {
  const connection = createConnection(process.stdin, process.stdout)
  serve({ connection, world: known(devices, complaint(connection)), dialect })
  return new Promise(() => {})
}
