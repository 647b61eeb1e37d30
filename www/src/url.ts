// What one would share, in the fragment of the address: view, example, subject, policy text (compressed).
// Must not live here: anything secret.
import { deflateSync, inflateSync, strFromU8, strToU8 } from 'fflate'

/** Everything but `text` and `before`, which are packed, stands there as it is. */
export type Shared = { view?: string; example?: string; for?: string; text?: string; before?: string }

const PACKED: string[] = ['text', 'before']

/** Stands in the history beside every address that the page itself wrote: what is typed is newer than that. */
const OWN = 'own'

/** What the address says; a text that was cut off in transit is left out. */
export function read(): Shared {
  const found = [...new URLSearchParams(location.hash.slice(1))].map(([name, words]) => [name, PACKED.includes(name) ? unpack(words) : words])
  return Object.fromEntries(found.filter(([, words]) => words !== undefined)) as Shared
}

/** Whether the page wrote the address itself, rather than a person or a link. */
export const isOwn = () => history.state === OWN

/** The fragment with these changes. */
export function fragment(changes: Shared, parameters = new URLSearchParams(location.hash.slice(1))): string {
  for (const [name, words] of Object.entries(changes)) {
    if (words) parameters.set(name, PACKED.includes(name) ? pack(words) : words)
    else parameters.delete(name)
  }
  return `#${parameters}`
}

/** Changes what is named and keeps the rest, without an entry in the history. */
export const write = (changes: Shared) => history.replaceState(OWN, '', fragment(changes))

/** In base64url: no character of it is changed on the way. */
const pack = (text: string) =>
  btoa(strFromU8(deflateSync(strToU8(text)), true))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

function unpack(packed: string): string | undefined {
  try {
    return strFromU8(inflateSync(strToU8(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), true)))
  } catch {
    return undefined
  }
}
