// The policy workbench: editor on one side, answers about its text on the other.
// Must not live here: what a single answer looks like; saving; what else is done with the text (ways.ts).
import { type PolicyCheck, hujson, isTailnetError } from 'tailnet-kit/slim'
import { matrix } from './access.js'
import { answerable, flow, judgement, who } from './answers.js'
import { changesCard } from './changes.js'
import { attempt, enable, fill, h, keepInView, live } from './dom.js'
import type { Reading } from './editor.js'
import { intro } from './intro.js'
import { ask, isStarting, known, latest, startText } from './kit.js'
import { saving } from './save.js'
import { beginning, connection, example } from './service.js'
import { keep, recall, typed } from './storage.js'
import { type Shared, fragment, write } from './url.js'
import { editing } from './ways.js'
import type { Workbench } from './workbench.js'

/** Shows what the address shares when somebody comes back to the view, and asks again: the devices may have changed. */
export let revisit = (_: Shared): void => {}

/** How long after the last key the text is judged, in milliseconds. */
const PAUSE = 300

/** What is typed and not saved, and the changes that can be undone. */
type Draft = Workbench['draft'] & { past?: unknown }

export const policyView = (root: HTMLElement, shared: Shared): Promise<void> => {
  const key = typed('policy')
  const load = async (waiting: HTMLElement) => {
    const loading = import('./editor.js')
    const { acl } = await beginning()
    const draft = recall<Draft>(key) ?? { opened: acl, text: acl.text }
    const text = shared.text ?? draft.text
    const first = changesCard(text, draft.opened.text)
    // Shows the text until the editor is there, in the same place.
    const work = h('div.work', h('p.head', 'Loading the editor …'), h('pre', text))
    waiting.replaceChildren(
      intro(
        () => {},
        () => '',
      ).view,
      work,
      h('div.answers', first.view),
    )
    return { draft, first, ...(await loading) }
  }
  /** Where the service is gone, the draft goes on in the sandbox. */
  const elsewhere = (error: unknown) =>
    isTailnetError(error, 'connection') && !example()
      ? [h('p', h('a', { href: fragment({ example: 'office', text: recall<Draft>(key)?.text }) }, 'Use the sandbox in this page'), ' with what is typed here.')]
      : []
  return fill(
    root,
    'Reading the policy …',
    load,
    ({ draft, first, createEditor }) => {
      const [said, failed, place] = [live(), live(), h('div.editor')]
      const subject = h('input', { id: 'subject', value: shared.for ?? '', placeholder: 'user, tag, group, host, device or ip:port' })
      const refresh = latest(async () => {
        await attempt(failed, judge)
        if (failed.hasChildNodes()) judged.fail()
      })
      const editor = createEditor({ parent: place, doc: draft.text, past: draft.past, onChange: typed, onSave: () => save.click() })
      const bench: Workbench = { editor, draft, subject, changed, refresh, reading: editor.read() }
      const [save, judged] = [saving(bench, said), judgement(bench)]
      const picture = matrix(bench)
      const cards = [picture, who(bench), flow(bench)]
      const { toolbar, show, rewrite } = editing(bench, said, place)
      const tries = intro(
        (text) => rewrite(() => text ?? draft.opened.text),
        () => draft.opened.text,
      )
      const answers = h('div.answers', first.view, ...cards.map(({ view }) => view), judged.tests)
      /** The last text that the cards can answer. */
      let answered: Reading | undefined
      let pause = 0
      let lastKey = 0

      const share = () =>
        !root.hidden &&
        place.isConnected &&
        write({ view: undefined, text: unsaved() ? draft.text : undefined, for: subject.value.trim(), example: example() && connection.example })
      const unsaved = () => draft.text !== draft.opened.text

      function typed(): void {
        lastKey = performance.now()
        changed()
      }
      function changed(): void {
        draft.text = editor.text()
        tries.show(draft.text)
        enable(save, unsaved())
        if (unsaved()) void editor.compare(draft.opened.text)
        show(unsaved())
        keep(key, unsaved() ? { ...draft, past: undefined } : undefined)
        for (const words of said.querySelectorAll('.good, .offer')) words.remove()
        judged.wait()
        about()
        clearTimeout(pause)
        pause = window.setTimeout(share, 250)
        refresh()
      }
      /** Makes each card say which text it is about. */
      function about(): void {
        const words = !bench.reading.isPast() ? '' : answered === bench.reading ? 'from before the error' : 'no answer yet'
        for (const place of answers.querySelectorAll('.about')) place.textContent = words
        answers.classList.toggle('stale', words !== '')
      }
      async function judge(): Promise<void> {
        const wait = () => (lastKey ? lastKey + PAUSE - performance.now() : 0)
        while (wait() > 0) await new Promise((done) => setTimeout(done, wait()))
        const reading = editor.read()
        const check = await verdict(reading.text)
        const isPast = reading.isPast()
        if (!isPast) judged.show(check, reading)
        if (!isPast) first.follow(reading, draft.opened.text, picture.reveal)
        // While somebody types on, the cards wait for the next text.
        if (answerable(check) && !(isPast && answered)) answered = reading
        editor.keepOnly([answered, bench.reading, judged.judged.reading])
        if (!answered || (isPast && answered !== reading)) return
        const { text } = answered
        const [access, before] = await Promise.all([ask('access', text), stored(draft.opened.text)])
        const draws = await Promise.all(cards.map(({ update }) => update({ text, access, before })))
        bench.reading = answered
        for (const draw of draws) draw()
        if (answered === reading) judged.showTests(check.tests)
        about()
      }

      revisit = ({ text, for: name }) => {
        if (text !== undefined && text !== draft.text) editor.replace(text)
        if (name) subject.value = name
        judged.wait()
        refresh()
        share()
      }
      addEventListener('pagehide', () => place.isConnected && unsaved() && keep(key, { ...draft, past: editor.past() }))
      // Undo leads from a shared text back to the one that was being edited.
      if (shared.text && shared.text !== draft.text) editor.replace(shared.text)
      changed()
      const head = h('div.head', judged.head, save)
      const work = h('div.work', head, failed, toolbar, said, place, judged.view)
      keepInView(work)
      return [tries.view, work, answers]
    },
    elsewhere,
  )
}

/** The verdict on a text. One that is no HuJSON is refused before the policy engine is there: on a slow line that takes seconds. */
async function verdict(text: string): Promise<PolicyCheck> {
  const answer = ask('check', text)
  if (!isStarting) return answer
  return Promise.race([answer, noHujson(text)])
}

/** The refusal of a text that is no HuJSON; of others there is none, ever. */
async function noHujson(text: string): Promise<PolicyCheck> {
  await startText()
  try {
    hujson.parse(text)
  } catch (error) {
    if (isTailnetError(error, 'hujson_syntax')) return { accepted: false, message: error.message, issues: [error.issue], tests: { passed: true, results: [] } }
    throw error
  }
  return new Promise(() => {})
}

/** Who reaches what under the stored text, which seldom changes. */
async function stored(text: string) {
  const key = JSON.stringify([text, known])
  if (key !== last?.key) last = { key, access: await ask('access', text) }
  return last.access
}
let last: { key: string; access: Awaited<ReturnType<typeof ask<'access'>>> } | undefined
