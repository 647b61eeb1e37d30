// The kit's wasm: compiled once while it streams, run here and, for policies, off the main thread. Must not live here: any question.
import { init, type policy } from 'tailnet-kit/slim';
import wasm from 'tailnet-kit/tailnet_kit.wasm?url';
import example from 'virtual:example';
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

const open = new Map<number, Asked>();
let starting: Promise<Worker> | undefined;
let context: { devices?: unknown } = {};
let last = 0;

/** Resolves when the kit can be called on this thread too. Nothing is fetched before the first question. */
export const start = (): Promise<Worker> => (starting ??= compile());

async function compile(): Promise<Worker> {
  const module = await WebAssembly.compileStreaming(fetch(wasm));
  const worker = new Worker(new URL('./kit.worker.ts', import.meta.url), { type: 'module' });
  for (const message of [module, { context }]) worker.postMessage(message satisfies Message);
  worker.addEventListener('message', take);
  await init(module);
  measured(wasm);
  return worker;
}

/** Tells what texts alone cannot say, for every question from now on. */
export function know(known: { devices: unknown; domains: string[] }): void {
  context = known;
  void starting?.then((worker) => worker.postMessage({ context } satisfies Message));
}

/** Asks a method of `policy`: off the main thread, or of the answers with which the page was built. */
export async function ask<M extends Method>(method: M, ...args: Parameters<Policy[M]>): Promise<ReturnType<Policy[M]>> {
  const question = JSON.stringify([method, ...args.map((arg) => (arg === example.acl.text ? null : arg))]);
  if (context.devices === example.devices && question in example.answers) return example.answers[question] as ReturnType<Policy[M]>;
  const worker = await start();
  const id = ++last;
  worker.postMessage({ id, method, args } satisfies Message);
  return new Promise((resolve, reject) => open.set(id, { method, resolve: resolve as Asked['resolve'], reject }));
}

function take({ data }: MessageEvent<Answer>): void {
  const asked = open.get(data.id);
  open.delete(data.id);
  if ('failure' in data) return asked?.reject(new Error(data.failure));
  answered(`policy.${asked?.method}`, data.elapsed);
  asked?.resolve(data.value);
}
