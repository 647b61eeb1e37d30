// The entry `tailnet-kit/elements/link`: what elements show, in the fragment of an address, so that a link to a page carries it and no server reads it. Must
// not live here: history, anything secret.

/** The longest address that mail and chat programs leave whole, in characters. */
export const LONGEST = 8192

/** The parameter of each property. */
const PARAMETERS = { value: 'text', base: 'before', context: 'network' }

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer())

/** Packed as base64url, whose characters no mail or chat program changes. */
async function pack(text) {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'))
  const signs = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return signs.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0))
  return new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw')))
}

export async function toFragment(shown, fragment = '') {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ''))
  for (const [property, name] of Object.entries(PARAMETERS)) {
    const part = shown[property]
    if (part === undefined || part === '') parameters.delete(name)
    else parameters.set(name, await pack(typeof part === 'string' ? part : JSON.stringify(part)))
  }
  return `#${parameters}`
}

/** What a file holds that stands in the place of a link, if the text is one. */
export function fromFile(text) {
  try {
    const { value, base, context } = JSON.parse(text)
    return typeof value === 'string' ? { value, base, context } : undefined
  } catch {
    return undefined
  }
}

export async function fromFragment(fragment) {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ''))
  const found = {}
  for (const [property, name] of Object.entries(PARAMETERS)) {
    try {
      const part = parameters.has(name) ? await unpack(parameters.get(name)) : undefined
      if (part !== undefined) found[property] = property === 'context' ? JSON.parse(part) : part
    } catch {
      // What was cut off in transit is left out.
    }
  }
  return found
}
