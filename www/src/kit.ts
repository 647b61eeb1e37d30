// The kit's wasm, compiled once while it streams: run here and, for policies, beside the page; the foot, which says how
// large it is and how fast it answers. Must not live here: any question.
import { wrap } from 'comlink';
import { type PolicyContext, type policy, init, version } from 'tailnet-kit/slim';
import wasm from 'tailnet-kit/tailnet_kit.wasm?url';
import example from 'virtual:example';
import { the } from './dom.js';
import type { Kit } from './kit.worker.js';
import KitWorker from './kit.worker.js?worker';

type Policy = Omit<typeof policy, 'edit' | 'open'>;

/** What texts alone cannot say, for every question from now on. */
export const known: PolicyContext = {};

/** Does something at the first call, and at the next one only if that failed. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => {
    done ??= work();
    done.catch(() => (done = undefined));
    return done;
  };
}

/** Does something whenever it is asked for, but never twice at a time: however long it takes, no key waits for it. */
export function latest(work: () => Promise<void>): () => void {
  let [running, again] = [false, false];
  return async () => {
    again = true;
    if (running) return;
    for (running = true; again; ) {
      again = false;
      await work();
    }
    running = false;
  };
}

/** Resolves when the kit can be called on this thread too. Nothing is fetched before the first question. */
export const start = once(async () => {
  const module = await WebAssembly.compileStreaming(fetch(wasm));
  const kit = wrap<Kit>(new KitWorker());
  await Promise.all([kit.init(module), init(module)]);
  const [entry] = performance.getEntriesByName(new URL(wasm, location.href).href) as PerformanceResourceTiming[];
  const kib = (bytes = 0) => `${Math.round(bytes / 1024)} KiB`;
  the('size').textContent = `wasm ${kib(entry?.decodedBodySize)}, ${kib(entry?.encodedBodySize)} over the wire`;
  return kit;
});

the('version').textContent = `tailnet-kit ${version}`;
/** Says at the foot what was answered last, and in how many milliseconds. */
export function answered(what: string, since: number): void {
  the('answered').textContent = `${what} answered in ${(performance.now() - since).toFixed(1)} ms`;
}

/** Asks a method of `policy`: beside the page, or of the answers with which it was built. */
export async function ask<M extends keyof Policy>(method: M, ...args: Parameters<Policy[M]>) {
  type Answer = ReturnType<Policy[M]>;
  const question = JSON.stringify([method, ...args.map((arg) => (arg === example.acl.text ? null : arg))]);
  if (known.devices === example.devices && question in example.answers) return example.answers[question] as Answer;
  const kit = await start();
  const begin = performance.now();
  const answer = await (kit[method] as (...args: unknown[]) => Promise<unknown>)(...args, known);
  answered(`policy.${method}`, begin);
  return answer as Answer;
}
