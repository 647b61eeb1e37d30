// What one would share, in the fragment of the address: view, subject, policy text (compressed).
// Must not live here: anything secret.

export type Shared = { view?: string; for?: string; text?: string };

/** What the address says; a text that was cut off in transit is left out. */
export async function read(): Promise<Shared> {
  const { text, ...rest } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  return text ? { ...rest, text: await unpack(text).catch(() => undefined) } : rest;
}

/** Changes what is named and keeps the rest, without an entry in the history. */
export async function write(changes: Shared): Promise<void> {
  const text = changes.text && (await pack(changes.text));
  const parameters = new URLSearchParams(location.hash.slice(1));
  for (const [name, value] of Object.entries('text' in changes ? { ...changes, text } : changes)) {
    if (value) parameters.set(name, value);
    else parameters.delete(name);
  }
  history.replaceState(null, '', `#${parameters}`);
}

const through = (stream: GenericTransformStream, body: BodyInit) =>
  new Response(new Response(body).body?.pipeThrough(stream));

async function pack(text: string): Promise<string> {
  const bytes = await through(new CompressionStream('deflate-raw'), text).bytes();
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}

const unpack = async (packed: string) =>
  through(new DecompressionStream('deflate-raw'), Uint8Array.fromBase64(packed, { alphabet: 'base64url' })).text();
