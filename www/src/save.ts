// Saving the policy with If-Match; where somebody else saved first, both changes and their merge are shown.
// Must not live here: what a change means.
import { type AclText, type PolicyChange, type PolicyCheck, isTailnetError } from 'tailnet-kit/slim'
import { type Way, attempt, choose, enable, h, list } from './dom.js'
import { judge } from './answers.js'
import { latest } from './kit.js'
import { client } from './service.js'
import type { Workbench } from './workbench.js'

const CLASH = 'Both changed the same lines. Take one side, then add the other by hand.'
const UNGUARDED =
  'Not saved: this service, or what stands before it, shows no ETag, so it could not refuse a save that \
meets that of somebody else.'

/** The button that saves; `said` shows how it ended. */
export function saving({ editor, draft, changed, network, put }: Workbench, said: HTMLElement) {
  /** Compares with `stored` from now on, and puts `text` into the editor. */
  const rebase = (stored: AclText, text: string, words: string) => {
    draft.opened = stored
    if (draft.base !== undefined) draft.base = stored.text
    if (editor.value === text) changed()
    else put(text)
    return words
  }
  /** Takes over what was stored, and keeps what was typed since `sent`. */
  const saved = async (stored: AclText, sent: string) => rebase(stored, (await merge(sent, editor.value, stored.text)) ?? stored.text, 'Saved.')
  const conflict = async (stored: AclText) => {
    const [base, mine] = [draft.opened.text, editor.value]
    const merged = async (theirs: string) => {
      const both = await merge(base, mine, theirs)
      if (both === undefined) throw new Error(CLASH)
      return both
    }
    const update = async () => saved(await (await client()).acl.update(merged), mine)
    const content = [h('p', 'Nothing was written.'), h('div.sides')]
    content[1]?.append(await side('Your changes', base, mine), await side('Their changes', base, stored.text))
    const ways: Way[] = [
      ['Not now'],
      ['Keep my text, over theirs', async () => rebase(stored, editor.value, 'Look at what changes, then save.')],
      ['Take theirs', async () => rebase(stored, stored.text, '')],
    ]
    if ((await merge(base, mine, stored.text)) === undefined) content.push(h('p.problem', CLASH))
    else ways.push(['Merge and save', update, 'primary'])
    return choose('Somebody else saved another text meanwhile', content, ways)
  }
  const store = async () => {
    const [sent, { acl }, { etag }] = [editor.value, await client(), draft.opened]
    if (etag === null) throw new Error(UNGUARDED)
    try {
      return saved(await acl.set(sent, { ifMatch: etag }), sent)
    } catch (error) {
      if (error instanceof Error && error.message === 'test(s) failed') {
        const { tests } = await judge<PolicyCheck>('check', sent, network())
        const failed = tests.results.filter(({ passed }) => passed === false).length
        throw new Error(`Not saved: the service refused it, as ${failed} ${failed === 1 ? 'test fails' : 'tests fail'}.`)
      }
      if (!isTailnetError(error, 'precondition_failed') && !isTailnetError(error, 'conflict')) throw error
    }
    return conflict(await acl.get())
  }
  // A press meanwhile saves again afterwards: two requests at a time would conflict with each other.
  const onclick = latest(async () => {
    enable(save, false)
    await attempt(said, store)
    enable(save, editor.value !== draft.opened.text)
  })
  const save = h('button.primary last', { onclick }, 'Save')
  return save
}

/** Both changes to `base` in one text, unless they overlap. */
async function merge(base: string, mine: string, theirs: string): Promise<string | undefined> {
  const { mergeDiff3 } = await import('node-diff3')
  const { conflict, result } = mergeDiff3(mine, base, theirs, { stringSeparator: '\n' })
  return conflict ? undefined : result.join('\n')
}

/** A value in short: of a list only the entries that the other list lacks. */
function short(value: unknown, other: unknown): string {
  if (!Array.isArray(value) || !Array.isArray(other)) return JSON.stringify(value)?.slice(0, 120) ?? ''
  const own = value.filter((item) => !other.some((same) => JSON.stringify(same) === JSON.stringify(item)))
  return own.length ? JSON.stringify(own).slice(0, 120) : ''
}

/** What one side changed. */
async function side(title: string, base: string, text: string): Promise<Node> {
  const entries = (await judge<PolicyChange[]>('diff', base, text)).map(({ pointer, kind, before, after }) => {
    const [gone, come] = [h('del', short(before, after)), h('ins', short(after, before))]
    return h('li', h('code', pointer || '/'), ` ${kind} `, gone, ' ', come)
  })
  const differences = h('ul.differences')
  list(differences, entries, 'Nothing but layout and comments.')
  return h('div', h('h3', title), differences)
}
