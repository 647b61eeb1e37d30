// `tailnet-kit lsp`: the language server of policies. Must not live here: what it answers.
import { DEVICES, flag, text } from '../arguments.js'
import { dialectOf } from '../dialect.js'
import { expect } from '../files.js'

export const usage = '[--devices FILE] [--dialect NAME]'
export const says = `Speaks the Language Server Protocol on standard input and output, for editors such as VS Code, Neovim, Helix and
Zed: issues with fixes, completion, hover, definition, references, rename, outline, folding, selection, colours, inlay
hints and formatting. An editor may also name the file of devices as \`initializationOptions.devices\`, relative to its
workspace. The file is read again whenever it changes.`
export const options = {
  ...DEVICES,
  stdio: flag('the default; accepted as some editors pass it'),
  clientProcessId: text('PID', 'stop when this process ends; passed by some editors'),
}
export const exits = { 0: 'the editor ended the session', 1: 'the editor left without ending the session' }
export const examples = ['npx --no tailnet-kit lsp', 'npx --no tailnet-kit lsp --devices devices.json']

export async function run({ devices, dialect }, positionals) {
  expect(positionals)
  dialectOf(dialect)
  const { serveStdio } = await import('../lsp/stdio.js')
  return serveStdio({ devices, dialect })
}
