// The extension where VS Code has no Node, as in a browser: the server is a worker, to which files are brought. Must not live here: when it starts.

import { Uri, commands, window, workspace } from 'vscode'
import { LanguageClient } from 'vscode-languageclient/browser'
import { CLIENT, NAME, devices, extension } from './extension.js'

/** The wasm files that the worker is given. */
const WASM = ['language', 'hujson', 'dialect', 'headscale']

/** What the file of devices says, read as the editor reads files; undefined, and said, where it cannot be. */
async function context(file) {
  const [folder] = workspace.workspaceFolders ?? []
  if (!file || !folder) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(await workspace.fs.readFile(Uri.joinPath(folder.uri, file))))
  } catch (error) {
    window.showErrorMessage(`${file}: ${error.message}`)
    return undefined
  }
}

let watcher

/** Reads the file of devices again when it changes, by a new start. */
function watch({ subscriptions }, file) {
  watcher?.dispose()
  if (!file) return
  watcher = workspace.createFileSystemWatcher(`**/${file}`)
  for (const event of ['onDidChange', 'onDidCreate', 'onDidDelete']) watcher[event](() => commands.executeCommand('tailnetPolicy.restart'))
  subscriptions.push(watcher)
}

export const { activate, deactivate } = extension(async (extended) => {
  const at = (name) => Uri.joinPath(extended.extensionUri, 'dist', name)
  watch(extended, devices())
  const worker = new Worker(at('worker.js').toString(true))
  const files = await Promise.all(WASM.map(async (name) => [name, await workspace.fs.readFile(at(`${name}.wasm`))]))
  worker.postMessage(Object.fromEntries(files))
  const client = new LanguageClient(...NAME, { ...CLIENT, initializationOptions: { devices: await context(devices()) } }, worker)
  return { client, end: () => worker.terminate() }
})
