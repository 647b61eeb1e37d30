// The policy workbench: editor on one side, answers about its text on the other. Must not live here: what a single answer looks like.
import { type AccessMatrix, type AclText, type Device, hujson } from 'tailnet-kit/slim';
import { matrix } from './access.js';
import { changes, findings, flow, who } from './answers.js';
import { type Part, attempt, copy, fill } from './dom.js';
import type { Editor } from './editor.js';
import { ask, know, start } from './kit.js';
import { saving } from './save.js';
import { beginning, connected } from './service.js';
import { keep, recall, typed } from './storage.js';
import { type Shared, write } from './url.js';

/** The parts of the workbench in index.html. */
type Name =
  | ('place' | 'plain' | 'panel' | 'verdict' | 'failed' | 'issues' | 'answers')
  | ('format' | 'undo' | 'link' | 'said' | 'save')
  | ('subject' | 'names' | 'concerned' | 'filter' | 'picture' | 'told' | 'changes' | 'from' | 'to' | 'proto' | 'flow' | 'tally' | 'tests');

/** What every card works with: its places, the text beside it, and what is known of the network. */
export interface Workbench extends Record<Name, Part> {
  editor: Editor;
  /** The text under way, and the stored one it grew from. */
  draft: { opened: AclText; text: string };
  devices: Device[];
  /** Asks everything again. */
  refresh(): void;
  /** The same, when the text or what it is measured against is another. */
  changed(): void;
}

/** How a card shows what a text means, of which it is known who reaches what. */
export type Update = (text: string, access: AccessMatrix) => Promise<void> | void;

export const policyView = (root: HTMLElement, shared: Shared): Promise<void> =>
  fill(root, 'Reading the policy …', async () => {
    const { acl, devices } = await beginning();
    know({ devices, domains: [connected().tailnet].filter((name) => !name.includes('@')) });
    const parts = copy<Name>('policy-view');
    const draft = recall<Workbench['draft']>(typed('policy')) ?? { opened: acl, text: acl.text };
    parts.plain.value = shared.text ?? draft.text;
    parts.subject.value = shared.for ?? '';
    void attempt(parts.failed, () => workbench({ ...parts, draft, devices }));
    return [parts.all];
  });

/** Asks again when somebody comes back to the view: the devices may be others by now. */
export let revisit = (): void => {};

async function workbench(parts: Omit<Workbench, 'editor' | 'refresh' | 'changed'>): Promise<void> {
  const { place, plain, answers, draft, failed, save } = parts;
  const { createEditor } = await import('./editor.js');
  const focused = document.activeElement === plain;
  plain.remove();
  const here = { ...parts, changed, refresh, editor: createEditor(place, draft.text, changed) };
  const { editor } = here;
  const judged = findings(here);
  const cards = [who(here), matrix(here), changes(here), flow(here)];
  const kept = typed('policy');
  let [running, again, pause, accepted] = [false, false, 0, ''];

  function changed(): void {
    draft.text = editor.text();
    save.disabled = draft.text === draft.opened.text;
    keep(kept, save.disabled ? undefined : draft);
    parts.panel.querySelector(':scope > .good')?.remove();
    void refresh();
  }
  /** One round at a time, always with the latest text: however long an answer takes, no key waits for it. */
  async function refresh(): Promise<void> {
    again = true;
    if (running) return;
    for (running = true; again; ) {
      again = false;
      await attempt(failed, judge);
    }
    running = false;
    clearTimeout(pause);
    pause = window.setTimeout(() => void share(here), 250);
  }
  async function judge(): Promise<void> {
    const text = editor.text();
    const check = await ask('check', text);
    judged(check);
    answers.classList.toggle('stale', !check.accepted);
    if (check.accepted) accepted = text;
    if (!accepted) return;
    const access = await ask('access', accepted);
    await Promise.all(cards.map((update) => update(accepted, access)));
  }

  here.format.onclick = () => void attempt(here.said, () => start().then(() => editor.replace(hujson.format(editor.text()))));
  here.link.onclick = () => void attempt(here.said, () => share(here).then(() => navigator.clipboard.writeText(location.href)).then(() => 'Link copied.'));
  here.undo.onclick = editor.undo;
  saving(here);
  revisit = here.refresh;
  // Undo leads from a text that was shared, or typed before the editor was there, back to the one under way.
  if (plain.value !== draft.text) editor.replace(plain.value);
  if (focused) editor.goTo(1);
  changed();
}

/** Writes the text into the address, where it is not the stored one and this view is still there. */
async function share({ draft, place }: Workbench): Promise<void> {
  if (place.isConnected) await write({ text: draft.text === draft.opened.text ? undefined : draft.text });
}
