// What the address of the page says, in its fragment: view, example and subject, and what the elements show (`tailnet-kit/elements/link`).
// Must not live here: anything secret.
import { LONGEST, type Shown, fromFragment, toFragment } from 'tailnet-kit/elements/link'

/** What an address shares. */
export type Shared = Shown & { [name in (typeof WORDS)[number]]?: string | undefined }

/** The parameters that stand as they are. */
const WORDS = ['view', 'example', 'for'] as const

/** Marks, in the history, every address that the page itself wrote: what is typed is newer than such an address. */
const OWN = 'own'

export async function read(): Promise<Shared> {
  const parameters = new URLSearchParams(location.hash.slice(1))
  const words = WORDS.map((name) => [name, parameters.get(name) ?? undefined])
  return { ...Object.fromEntries(words), ...(await fromFragment(location.hash)) }
}

/** Whether the page wrote the address itself, rather than a person or a link. */
export const isOwn = () => history.state === OWN

/** The fragment of this, and of no more. */
export function fragment(shared: Shared): Promise<string> {
  const words = WORDS.flatMap((name) => (shared[name] ? [[name, shared[name]]] : []))
  return toFragment(shared, `${new URLSearchParams(words)}`)
}

let writing = Promise.resolve()

/** The view that the address names. */
const view = () => new URLSearchParams(location.hash.slice(1)).get('view') ?? 'policy'

/**
 * Changes what the address says, and keeps the rest, without an entry in the history; what is too long for an address is left out. What was written before
 * comes first; if somebody goes to another view meanwhile, nothing is changed.
 */
export function write(changes: Shared): Promise<void> {
  const asked = view()
  writing = writing.then(async () => {
    if (view() !== asked) return
    const begun = location.hash
    const shared = { ...(await read()), ...changes }
    const { value, base, context, ...words } = shared
    const whole = await fragment(shared)
    const link = whole.length <= LONGEST ? whole : await fragment(words)
    // Whoever went elsewhere meanwhile stays there.
    if (location.hash === begun) history.replaceState(OWN, '', link)
  })
  return writing
}
