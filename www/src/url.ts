// What a link shares, in the fragment of the address: view, example, subject; the policy's text, the one it is compared with, and the network, each
// compressed. Must not live here: anything secret.

/** The parameters of the fragment. `text`, `before` and `network` are packed, the others stand as they are. */
export type Shared = { [name in 'view' | 'example' | 'for' | 'text' | 'before' | 'network']?: string | undefined }

const PACKED: string[] = ['text', 'before', 'network']

/** Marks, in the history, every address that the page itself wrote: what is typed is newer than such an address. */
const OWN = 'own'

/** The longest address that mail and chat programs leave whole, in characters. */
const LONGEST = 8192

/** What the address says; a text that was cut off in transit is left out. */
export async function read(): Promise<Shared> {
  const all = [...new URLSearchParams(location.hash.slice(1))]
  const found = await Promise.all(all.map(async ([name, words]) => [name, PACKED.includes(name) ? await unpack(words) : words]))
  return Object.fromEntries(found.filter(([, words]) => words !== undefined)) as Shared
}

/** Whether the page wrote the address itself, rather than a person or a link. */
export const isOwn = () => history.state === OWN

/** The fragment with these changes. */
export async function fragment(changes: Shared, parameters = new URLSearchParams(location.hash.slice(1))): Promise<string> {
  for (const [name, words] of Object.entries(changes)) {
    if (words) parameters.set(name, PACKED.includes(name) ? await pack(words) : words)
    else parameters.delete(name)
  }
  return `#${parameters}`
}

/** The fragment of a link to this; undefined where it is too long for one. */
export async function linkTo(shared: Shared): Promise<string | undefined> {
  const link = await fragment(shared, new URLSearchParams())
  return link.length <= LONGEST ? link : undefined
}

let writing = Promise.resolve()

/** Changes these parameters and keeps the rest, without an entry in the history; what is too long for an address is left out. */
export function write(changes: Shared): Promise<void> {
  writing = writing.then(async () => {
    const begun = location.hash
    const link = await fragment(changes)
    const short = link.length <= LONGEST ? link : await fragment({ ...changes, text: undefined, before: undefined, network: undefined })
    // Whoever went elsewhere meanwhile stays there.
    if (location.hash === begun) history.replaceState(OWN, '', short)
  })
  return writing
}

const through = async (bytes: Uint8Array<ArrayBuffer>, stream: ReadableWritablePair<Uint8Array, BufferSource>) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer())

/** Packed as base64url, whose characters no mail or chat program changes. */
async function pack(text: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'))
  const signs = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return signs.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

async function unpack(packed: string): Promise<string | undefined> {
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0))
    return new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw')))
  } catch {
    return undefined
  }
}
