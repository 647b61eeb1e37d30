// Saving the policy with If-Match; where somebody else saved first, both changes and their merge are shown.
// Must not live here: how two changes are shown and merged (`tailnet-kit/elements/conflict`).
import { type AclText, type PolicyCheck, isTailnetError } from 'tailnet-kit/slim'
import { type Way, attempt, choose, enable, h } from './dom.js'
import { judge } from './answers.js'
import { latest } from './kit.js'
import { client } from './service.js'
import type { Workbench } from './workbench.js'

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
  const saved = async (stored: AclText, sent: string) => {
    const { merge } = await import('tailnet-kit/elements/conflict')
    return rebase(stored, (await merge(sent, editor.value, stored.text)) ?? stored.text, 'Saved.')
  }
  const conflict = async (stored: AclText) => {
    const { merge } = await import('tailnet-kit/elements/conflict')
    const [base, mine, theirs] = [draft.opened.text, editor.value, stored.text]
    const merged = async (now: string) => {
      const both = await merge(base, mine, now)
      if (both === undefined) throw new Error('Somebody saved once more, and changed the same lines.')
      return both
    }
    const update = async () => saved(await (await client()).acl.update(merged), mine)
    const both = Object.assign(document.createElement('tailnet-conflict'), { base, mine, theirs })
    const ways: Way[] = [
      ['Not now'],
      ['Keep my text, over theirs', async () => rebase(stored, editor.value, 'Look at what changes, then save.')],
      ['Take theirs', async () => rebase(stored, stored.text, '')],
    ]
    if ((await merge(base, mine, theirs)) !== undefined) ways.push(['Merge and save', update, 'primary'])
    return choose('Somebody else saved another text meanwhile', [h('p', 'Nothing was written.'), both], ways)
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
