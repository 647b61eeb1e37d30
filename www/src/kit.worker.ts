// Answers questions about policies beside the page, so that no key waits for them. Must not live here: what is done with an answer.
import { init, policy } from 'tailnet-kit/slim';
import type { Answer, Message } from './kit.js';

let started: Promise<void>;
let context: unknown;

addEventListener('message', async ({ data }: MessageEvent<Message>) => {
  if (data instanceof WebAssembly.Module) started = init(data);
  else if ('context' in data) context = data.context;
  else {
    await started;
    postMessage(answer(data.id, () => (policy[data.method] as (...args: unknown[]) => unknown)(...data.args, context)));
  }
});

function answer(id: number, call: () => unknown): Answer {
  const start = performance.now();
  try {
    const value = call();
    return { id, value, elapsed: performance.now() - start };
  } catch (error) {
    return { id, failure: error instanceof Error ? error.message : String(error), elapsed: performance.now() - start };
  }
}
