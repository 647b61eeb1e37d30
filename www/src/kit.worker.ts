// Answers questions about policies beside the page, so that no key waits for them.
// Must not live here: what is done with an answer.
import { expose } from 'comlink';
import { type PolicyContext, init, policy } from 'tailnet-kit/slim';
import type { Method } from './kit.js';

let context: PolicyContext | undefined;

const kit = {
  start: init,
  know: (known?: PolicyContext) => void (context = known),
  /** Each question gets what is known as its last argument. */
  ask(method: Method, args: unknown[]): { value: unknown; elapsed: number } {
    const start = performance.now();
    const value = (policy[method] as (...args: unknown[]) => unknown)(...args, context);
    return { value, elapsed: performance.now() - start };
  },
};

export type Kit = typeof kit;
expose(kit);
