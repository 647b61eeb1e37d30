// What one would share, in the fragment of the address: view, subject, policy text (compressed).
// Must not live here: anything secret.
import { deflateSync, inflateSync, strFromU8, strToU8 } from 'fflate';

export type Shared = { view?: string; for?: string; text?: string };

/** What the address says; a text that was cut off in transit is left out. */
export function read(): Shared {
  const { text, ...rest }: Shared = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  try {
    return text ? { ...rest, text: unpack(text) } : rest;
  } catch {
    return rest;
  }
}

/** Changes what is named and keeps the rest, without an entry in the history. */
export function write(changes: Shared): void {
  const parameters = new URLSearchParams(location.hash.slice(1));
  for (const [name, words] of Object.entries(changes)) {
    if (words) parameters.set(name, name === 'text' ? pack(words) : words);
    else parameters.delete(name);
  }
  history.replaceState(null, '', `#${parameters}`);
}

/** In base64url: no character of it is changed on the way. */
const pack = (text: string) =>
  btoa(strFromU8(deflateSync(strToU8(text)), true)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

const unpack = (packed: string) =>
  strFromU8(inflateSync(strToU8(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), true)));
