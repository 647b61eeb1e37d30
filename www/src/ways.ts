// What can be done with the text as a whole: open, download, revert, start over. Must not live here: what it means; saving it; sharing it.
import { judge } from './answers.js'
import { attempt, choose, download, enable, h, menu } from './dom.js'
import { offerHujson } from './json5.js'
import { example } from './connection.js'
import { startOver } from './service.js'
import { type Shared, fragment } from './url.js'
import type { Workbench } from './workbench.js'

/** No policy is larger than this. */
const MOST_BYTES = 4 << 20

/** A button that opens a file. */
function opener(label: string, opened: (file: File) => void): Node {
  const input = h('input', { type: 'file', hidden: true, accept: '.hujson,.json,.json5,.jsonc,.txt' })
  input.onchange = () => {
    if (input.files?.[0]) opened(input.files[0])
    input.value = ''
  }
  return h('span', h('button', { onclick: () => input.click() }, label), input)
}

/** The text of a file that somebody chose. */
async function textOf(file: File): Promise<string> {
  if (file.size > MOST_BYTES) throw new Error(`${file.name} is too large for a policy: ${Math.round(file.size / 1024)} KiB`)
  const text = await file.text()
  if (text.includes('\0')) throw new Error(`${file.name} is no text`)
  return text
}

/** What a file shares that stands in the place of a link, if it is one. */
function sharedBy(text: string): Shared | undefined {
  try {
    const { value, base, context } = JSON.parse(text)
    return typeof value === 'string' ? { value, base, context } : undefined
  } catch {
    return undefined
  }
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

/** The buttons beside those of the editor, and where files may be dropped; `said` shows how one ended. */
export function editing(bench: Workbench, said: HTMLElement, save: HTMLElement) {
  const { editor, base } = bench
  const offer = () => void offerHujson(bench, said).catch(() => {}) // Without the offer the verdict still says what is wrong.
  const open = (file: File) => {
    const work = async () => {
      const text = await textOf(file)
      const shared = sharedBy(text)
      if (shared) bench.take(shared)
      else bench.put(text)
      return `This is ${file.name} now; Undo brings back what was here.`
    }
    void attempt(said, work).then(offer)
  }
  // After the editor has handled the paste.
  editor.addEventListener('paste', () => setTimeout(offer), { capture: true })
  droppable(editor, open)
  const review = h('a.item', { href: '#view=review' }, 'Review what I changed')
  const json = async () => {
    await navigator.clipboard.writeText(JSON.stringify(await judge('toJSON', editor.value), null, 2))
    return 'Copied.'
  }
  const file = menu('File', said, {
    open: opener('Open a file …', open),
    Download: async () => download({ name: 'policy.hujson', type: 'application/hujson', text: editor.value }),
    'Copy as JSON': json,
    review,
  })
  const aim = async () => void (review.href = await fragment({ view: 'review', base: base(), value: editor.value }))
  file.ontoggle = () => void aim()
  const revert = h('button', { onclick: () => bench.put(base()) }, 'Revert')
  const question = h('p', 'Reset the example and discard your edits?')
  const again = () => choose('Start over?', [question], [['Cancel'], ['Reset', async () => startOver(), 'danger']])
  const actions = h('span.actions', { slot: 'actions' }, revert, file, example() ? h('button', { onclick: again }, 'Start over') : null, save)
  return { actions, show: (isEdited: boolean) => enable(revert, isEdited) }
}
