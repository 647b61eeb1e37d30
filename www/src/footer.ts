// The line at the foot: how large the wasm is, how long the last answer took. Must not live here: what was asked.
import { version } from 'tailnet-kit/slim';
import { byId, h } from './dom.js';

const answer = h('span');
const size = h('span', {}, 'wasm: fetched with the first question');
byId('footer').append(h('span', {}, `tailnet-kit ${version}`), size, answer);

/** Shows what was answered last, and in how many milliseconds. */
export function answered(what: string, elapsed: number): void {
  answer.textContent = `${what} answered in ${elapsed < 10 ? elapsed.toFixed(1) : Math.round(elapsed)} ms`;
}

/** Shows the size of the wasm that was read from `url`. */
export function measured(url: string): void {
  const [entry] = performance.getEntriesByName(new URL(url, location.href).href) as PerformanceResourceTiming[];
  if (!entry) return;
  const kib = (bytes: number): string => `${Math.round(bytes / 1024)} KiB`;
  size.textContent = `wasm ${kib(entry.decodedBodySize)}, ${kib(entry.encodedBodySize)} over the wire`;
}
