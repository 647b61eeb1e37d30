// The extension of VS Code: starts `tailnet-kit lsp`, which it carries. Must not live here: what a policy means.

import { join } from 'node:path'
import { workspace } from 'vscode'
import { LanguageClient, TransportKind } from 'vscode-languageclient/node'

// Files, new texts, and files of a repository that is opened without a copy; not what a comparison shows beside them, whose issues would
// be listed a second time.
const TEXTS = ['file', 'untitled', 'vscode-vfs'].map((scheme) => ({ language: 'tailnet-policy', scheme }))

let client
let turn = Promise.resolve()

/** One after the other: a client that is just starting cannot be stopped, and two must not run. */
const inTurn = (step) => (turn = turn.then(step, step))
const stopped = () => client?.stop()

async function restarted() {
  await stopped()
  const server = { module: join(__dirname, '../server/bin/tailnet-kit.js'), args: ['lsp'], transport: TransportKind.stdio }
  const initializationOptions = { devices: workspace.getConfiguration('tailnetPolicy').get('devices') }
  client = new LanguageClient('tailnetPolicy', 'Tailnet policy', server, { documentSelector: TEXTS, initializationOptions })
  await client.start()
}

export async function activate({ subscriptions }) {
  subscriptions.push(workspace.onDidChangeConfiguration((change) => change.affectsConfiguration('tailnetPolicy.devices') && inTurn(restarted)))
  await inTurn(restarted)
}

export const deactivate = () => inTurn(stopped)
