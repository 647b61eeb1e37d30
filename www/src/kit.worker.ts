// Answers questions about policies beside the page, so that no key waits for them.
// Must not live here: what is done with an answer.
import { expose } from 'comlink';
import { init, policy } from 'tailnet-kit/slim';
import type { Method } from './kit.js';

const kit = {
  init,
  ask(method: Method, args: unknown[]): { value: unknown; elapsed: number } {
    const start = performance.now();
    const value = (policy[method] as (...args: unknown[]) => unknown)(...args);
    return { value, elapsed: performance.now() - start };
  },
};

export type Kit = typeof kit;
expose(kit);
