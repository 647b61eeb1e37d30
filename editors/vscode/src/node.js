// The extension where VS Code has Node: the server is a process. Must not live here: when it starts.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { window } from 'vscode'
import { CloseAction, LanguageClient } from 'vscode-languageclient/node'
import { CLIENT, NAME, devices, extension } from './extension.js'

/** The server by the Node of VS Code, whose own program is it. */
const served = () => spawn(process.execPath, [join(__dirname, 'server.cjs'), '--stdio'], { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } })

export const { activate, deactivate } = extension(() => {
  let server
  let ended = false
  // Who is ended is replaced: nothing is said of it, and it must not come back beside its successor.
  const options = {
    ...CLIENT,
    initializationOptions: { devices: devices() },
    initializationFailedHandler: ({ message }) => {
      if (!ended) window.showErrorMessage(message)
      return false
    },
    errorHandler: {
      error: (...said) => usual.error(...said),
      closed: () => (ended ? { action: CloseAction.DoNotRestart, handled: true } : usual.closed()),
    },
  }
  const client = new LanguageClient(...NAME, async () => (server = served()), options)
  const usual = client.createDefaultErrorHandler()
  const end = () => {
    ended = true
    server?.kill('SIGKILL')
  }
  return { client, end }
})
