// What a link shares, in the fragment of the address: view, example, subject, policy text (compressed).
// Must not live here: anything secret.
import { deflateSync, inflateSync, strFromU8, strToU8 } from 'fflate'

/** The parameters of the fragment. `text` and `before` are packed, the others stand as they are. */
export type Shared = { view?: string; example?: string; for?: string; text?: string; before?: string }

const PACKED: string[] = ['text', 'before']

/** Marks, in the history, every address that the page itself wrote: what is typed is newer than such an address. */
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

/** Changes these parameters and keeps the rest, without an entry in the history. */
export const write = (changes: Shared) => history.replaceState(OWN, '', fragment(changes))

/** Packed as base64url, whose characters no mail or chat program changes. */
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
