// Answers questions about policies beside the page, so that no key waits. Must not live here: what is done with an answer.
import { expose } from 'comlink';
import { init, policy } from 'tailnet-kit/slim';

const kit = { init, ...policy };
export type Kit = typeof kit;
expose(kit);
