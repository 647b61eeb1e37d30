// The extension wherever VS Code runs: when its language server starts, and starts again. Must not live here: how it is started
// (`node.js`, `web.js`), what a policy means.

import { commands, workspace } from 'vscode'

// Files, new texts, and files of a repository that is opened without a copy; not what a comparison shows beside them, whose issues would
// be listed a second time.
const TEXTS = ['file', 'untitled', 'vscode-vfs', 'vscode-test-web'].map((scheme) => ({ language: 'tailnet-policy', scheme }))
/** Milliseconds in which a server starts; after them a restart need not wait for it. */
const PATIENCE = 5000

export const NAME = ['tailnetPolicy', 'Tailnet policy']
export const CLIENT = { documentSelector: TEXTS }
export const devices = () => workspace.getConfiguration('tailnetPolicy').get('devices')

/** The extension whose `start(context)` gives a client that is not started yet, and `end`, which ends its server whatever it does. */
export function extension(start) {
  let running
  let turn = Promise.resolve()
  /** One after the other: a client that is just starting cannot be stopped, and two must not run. */
  const inTurn = (step) => (turn = turn.then(step, step))
  // Whatever state it is in: a server that hangs or never started cannot be stopped, which must not keep the next from its start.
  const stopped = async () => {
    await running?.client.stop().catch(() => running.end())
  }
  return {
    async activate(context) {
      const restarted = async () => {
        await stopped()
        running = await start(context)
        await Promise.race([running.client.start(), new Promise((late) => setTimeout(late, PATIENCE))])
      }
      context.subscriptions.push(
        workspace.onDidChangeConfiguration((change) => change.affectsConfiguration('tailnetPolicy.devices') && inTurn(restarted)),
        commands.registerCommand('tailnetPolicy.restart', () => inTurn(restarted)),
      )
      await inTurn(restarted)
    },
    deactivate: () => inTurn(stopped),
  }
}
