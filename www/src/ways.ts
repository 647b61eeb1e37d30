// What can be done with the text as a whole: format, undo, revert, open, export. Must not live here: what it means; saving it.
import { policy } from 'tailnet-kit/slim'
import { attempt, choose, download, enable, h } from './dom.js'
import { offerHujson } from './json5.js'
import { ask, startText } from './kit.js'
import { example, startOver } from './service.js'
import { fragment, read } from './url.js'
import type { Workbench } from './workbench.js'

/** No policy is larger than this. */
const MOST_BYTES = 4 << 20

/** A button that opens a file; `opened` gets its text. */
export function opener(label: string, opened: (file: File) => void): Node {
  const input = h('input', { type: 'file', hidden: true, accept: '.hujson,.json,.json5,.jsonc,.txt' })
  input.onchange = () => {
    if (input.files?.[0]) opened(input.files[0])
    input.value = ''
  }
  return h('span', h('button', { onclick: () => input.click() }, label), input)
}

/** The text of a file that somebody chose. */
export async function textOf(file: File): Promise<string> {
  if (file.size > MOST_BYTES) throw new Error(`${file.name} is too large for a policy: ${Math.round(file.size / 1024)} KiB`)
  const text = await file.text()
  if (text.includes('\0')) throw new Error(`${file.name} is no text`)
  return text
}

async function copy(text: string): Promise<string> {
  await navigator.clipboard.writeText(text)
  return 'Copied.'
}

/** Opens files that are dropped on a place, rather than letting the browser put them into the text. */
function droppable(place: HTMLElement, opened: (file: File) => void): void {
  const files = (event: DragEvent) => event.dataTransfer?.types.includes('Files') && event.preventDefault()
  place.addEventListener('dragover', files, { capture: true })
  const drop = (event: DragEvent) => {
    const [file] = event.dataTransfer?.files ?? []
    if (!file) return
    event.preventDefault()
    event.stopPropagation()
    opened(file)
  }
  place.addEventListener('drop', drop, { capture: true })
}

/** The menu that exports the text or opens another; `said` shows how it ended. */
function fileMenu({ editor, draft }: Workbench, said: HTMLElement, open: (file: File) => void): Node {
  const item = (label: string, work: () => Promise<string | void>) => h('button', { onclick: () => attempt(said, work) }, label)
  const unsaved = () => (draft.text === draft.opened.text ? undefined : draft.text)
  const link = () => {
    const shared = { text: unsaved(), example: read().example }
    return new URL(fragment(shared, new URLSearchParams()), location.href).href
  }
  const json = async () => copy(JSON.stringify(await ask('toJSON', editor.text()), null, 2))
  const save = async () => download({ name: 'policy.hujson', type: 'application/hujson', text: editor.text() })
  const review = h('a.item', { href: '#view=review' }, 'Review what I changed')
  const aim = () => void (review.href = fragment({ view: 'review', before: draft.opened.text, text: draft.text }, new URLSearchParams()))
  const menu = h(
    'details.menu',
    h('summary', 'File'),
    h(
      'div',
      opener('Open a file …', open),
      item('Download', save),
      item('Copy link', () => copy(link())),
      item('Copy as JSON', json),
      review,
    ),
  )
  menu.ontoggle = aim
  menu.onclick = ({ target }) => {
    if ((target as Element).closest('button, a')) menu.open = false
  }
  menu.onkeydown = ({ key }) => {
    if (key !== 'Escape' || !menu.open) return
    menu.open = false
    menu.querySelector('summary')?.focus()
  }
  return menu
}

/** The tools above the editor, and where files may be dropped; `said` shows why something failed. */
export function editing(bench: Workbench, said: HTMLElement, place: HTMLElement) {
  const { editor, draft } = bench
  /** Changes only the parts of the text that differ, so that the cursor stays where it is. */
  const rewrite = (change: (text: string) => string) =>
    attempt(said, async () => {
      await startText()
      const text = editor.text()
      editor.edit(policy.edit.changes(text, change(text)))
    })
  const offer = () => void offerHujson(bench, said).catch(() => {}) // Without the offer the verdict still says what is wrong.
  const open = (file: File) => {
    const work = async () => {
      editor.replace(await textOf(file))
      return `This is ${file.name} now; Undo brings back what was here.`
    }
    void attempt(said, work).then(offer)
  }
  // After the editor has handled the paste.
  place.addEventListener('paste', () => setTimeout(offer), { capture: true })
  droppable(place, open)
  const revert = h('button', { onclick: () => editor.replace(draft.opened.text) }, 'Revert')
  const question = h('p', 'Reset the example and discard your edits?')
  const again = () => choose('Start over?', [question], [['Cancel'], ['Reset', async () => startOver(), 'danger']])
  const next = h('button', { onclick: editor.next, title: 'F8' }, 'Next issue')
  const toolbar = h(
    'div.toolbar',
    fileMenu(bench, said, open),
    h('button', { onclick: editor.format, title: 'Shift+Alt+F' }, 'Format'),
    h('button', { onclick: editor.undo, title: 'Ctrl+Z' }, 'Undo'),
    h('button', { onclick: editor.redo, title: 'Ctrl+Y' }, 'Redo'),
    revert,
    next,
    example() ? h('button', { onclick: again }, 'Start over') : null,
  )
  return {
    toolbar,
    rewrite,
    /** Whether there is anything to revert. */
    show: (unsaved: boolean) => enable(revert, unsaved),
  }
}
