// The extension of VS Code: starts `tailnet-kit lsp`, which it carries. Must not live here: what a policy means.

import { join } from 'node:path'
import { workspace } from 'vscode'
import { LanguageClient, TransportKind } from 'vscode-languageclient/node'

let client

const started = () => {
  const server = { module: join(__dirname, '../server/bin/tailnet-kit.js'), args: ['lsp'], transport: TransportKind.stdio }
  const initializationOptions = { devices: workspace.getConfiguration('tailnetPolicy').get('devices') }
  client = new LanguageClient('tailnetPolicy', 'Tailnet policy', server, { documentSelector: [{ language: 'tailnet-policy' }], initializationOptions })
  return client.start()
}

export async function activate({ subscriptions }) {
  subscriptions.push(
    workspace.onDidChangeConfiguration(async (change) => {
      if (!change.affectsConfiguration('tailnetPolicy.devices')) return
      await client?.stop()
      await started()
    }),
  )
  await started()
}

export const deactivate = () => client?.stop()
