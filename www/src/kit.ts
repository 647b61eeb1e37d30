// The kit's wasm: compiled once while it streams, run here and, for policies, off the main thread. Must not live here: any question.
import { init, type policy } from 'tailnet-kit/slim';
import wasm from 'tailnet-kit/tailnet_kit.wasm?url';
import { answered, measured } from './footer.js';

type Policy = Omit<typeof policy, 'edit'>;
type Method = keyof Policy;

/** What goes to the worker: the compiled wasm, then contexts and questions. Each question gets the last context as its last argument. */
export type Message = WebAssembly.Module | { context: unknown } | { id: number; method: Method; args: unknown[] };
/** What comes back. */
export type Answer = { id: number; elapsed: number; value: unknown } | { id: number; elapsed: number; failure: string };

interface Asked {
  method: Method;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const worker = new Worker(new URL('./kit.worker.ts', import.meta.url), { type: 'module' });
const open = new Map<number, Asked>();
const send = (message: Message): void => worker.postMessage(message);
let last = 0;

/** Resolves when the kit can be called on this thread too. */
export const started: Promise<void> = WebAssembly.compileStreaming(fetch(wasm)).then(async (module) => {
  send(module);
  await init(module);
  measured(wasm);
});

/** Tells what texts alone cannot say, for every question from now on. */
export const know = (context: unknown): void => send({ context });

/** Asks a method of `policy` off the main thread. */
export function ask<M extends Method>(method: M, ...args: Parameters<Policy[M]>): Promise<ReturnType<Policy[M]>> {
  const id = ++last;
  send({ id, method, args });
  return new Promise((resolve, reject) => open.set(id, { method, resolve: resolve as Asked['resolve'], reject }));
}

worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
  const asked = open.get(data.id);
  open.delete(data.id);
  if ('failure' in data) return asked?.reject(new Error(data.failure));
  answered(`policy.${asked?.method}`, data.elapsed);
  asked?.resolve(data.value);
});
