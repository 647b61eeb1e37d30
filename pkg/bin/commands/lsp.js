// `tailnet-kit lsp`: the language server of policies. Must not live here: what it answers.
import { DEVICES, flag, text } from '../arguments.js'
import { expect } from '../files.js'

export const usage = '[--devices FILE]'
export const says = `Speaks the Language Server Protocol on standard input and output, for editors such as VS Code, Neovim, Helix and
Zed: issues with fixes, completion, hover, definition, references, rename, outline, folding, selection, colours, remarks
and layout. An editor may name the file of devices, too, as \`initializationOptions.devices\`; a relative one lies in its
workspace. It is read again whenever it has changed.`
export const options = {
  ...DEVICES,
  stdio: flag('what it does anyway: some editors ask for it'),
  clientProcessId: text('PID', 'end with this process: some editors ask for it'),
}
export const exits = { 0: 'the editor said goodbye', 1: 'the editor went without a goodbye' }
export const examples = ['npx tailnet-kit lsp', 'npx tailnet-kit lsp --devices devices.json']

export async function run({ devices }, positionals) {
  expect(positionals)
  const { serve } = await import('../lsp/server.js')
  return serve(devices)
}
