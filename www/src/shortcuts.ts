// The list of keyboard shortcuts. Must not live here: what a key does.
import { choose, h, the } from './dom.js'

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** The keys and what they do; `Mod` is Ctrl, or Cmd on a Mac. */
const KEYS: [keys: string, what: string][] = [
  ['Mod+S', 'Save the policy'],
  ['Mod+Z', 'Undo'],
  [isMac ? 'Mod+Shift+Z' : 'Mod+Y', 'Redo'],
  ['F8', 'Next issue'],
  ['Mod+.', 'Quick fixes'],
  ['Alt+Escape', 'Complete'],
  ['Mod+K Mod+I', 'Show documentation'],
  ['F2', 'Rename'],
  ['F12', 'Where a name is defined'],
  ['Mod+I', 'Expand selection'],
  ['Shift+Alt+F', 'Format'],
  ['Mod+F', 'Find in the text, and replace'],
  ['Mod+G', 'Next place that was found'],
  ['Mod+D', 'Select the same words elsewhere too'],
  ['Alt+↑ Alt+↓', 'Move a line'],
  ['Tab', 'Accept completion, otherwise leave the editor'],
  ['← → ↑ ↓', 'Go from cell to cell, in the picture of who reaches what'],
  ['?', 'This list'],
]

const key = (name: string) => h('kbd', name.replace('Mod', isMac ? '⌘' : 'Ctrl'))

function list(): void {
  const rows = KEYS.flatMap(([keys, what]) => [h('dt', ...keys.split(' ').map(key)), h('dd', what)])
  void choose('Keyboard', [h('dl.keys', ...rows)], [['Close']])
}

/** Makes the list open by its button and by its key. */
export function listShortcuts(): void {
  the('shortcuts').onclick = list
  addEventListener('keydown', (event) => {
    const [at] = event.composedPath() as HTMLElement[]
    const types = at?.isContentEditable || at?.matches?.('input, textarea, select')
    if (event.key === '?' && !types && !document.querySelector('dialog')) list()
  })
}
