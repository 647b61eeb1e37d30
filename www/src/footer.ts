// The line at the foot: how large the wasm is, how long the last answer took. Must not live here: what was asked.
import { version } from 'tailnet-kit/slim';
import { the } from './dom.js';

the('version').textContent = `tailnet-kit ${version}`;

/** Shows what was answered last, and in how many milliseconds. */
export const answered = (what: string, elapsed: number): void =>
  void (the('answered').textContent = `${what} answered in ${elapsed < 10 ? elapsed.toFixed(1) : Math.round(elapsed)} ms`);

/** Shows the size of the wasm that was read from `url`. */
export function measured(url: string): void {
  const [entry] = performance.getEntriesByName(new URL(url, location.href).href) as PerformanceResourceTiming[];
  const kib = (bytes = 0): string => `${Math.round(bytes / 1024)} KiB`;
  the('size').textContent = `wasm ${kib(entry?.decodedBodySize)}, ${kib(entry?.encodedBodySize)} over the wire`;
}
