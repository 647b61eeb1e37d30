// The policy workbench: editor on one side, answers about its text on the other.
// Must not live here: what a single answer looks like; saving.
import { hujson } from 'tailnet-kit/slim';
import { matrix } from './access.js';
import { changes, flow, judgement, who } from './answers.js';
import { attempt, enable, fill, h, live } from './dom.js';
import { ask, known, latest, start } from './kit.js';
import { saving } from './save.js';
import { beginning, connection } from './service.js';
import { keep, recall, typed } from './storage.js';
import { type Shared, write } from './url.js';
import type { Workbench } from './workbench.js';

/** Asks again when somebody comes back to the view: the devices may be others by now. */
export let revisit = (): void => {};

export const policyView = (root: HTMLElement, shared: Shared): Promise<void> => {
  const load = () => Promise.all([beginning(), import('./editor.js')]);
  return fill(root, 'Reading the policy …', load, ([{ acl, devices }, { createEditor }]) => {
    Object.assign(known, { devices, domains: [connection.tailnet].filter((name) => !name.includes('@')) });
    const [key, said, failed, place] = [typed('policy'), live(), live(), h('div.editor')];
    const draft = recall<Workbench['draft']>(key) ?? { opened: acl, text: acl.text };
    const placeholder = 'user, tag, host or ip:port';
    const subject = h('input', { id: 'subject', value: shared.for ?? '', placeholder });
    const refresh = (revisit = latest(() => attempt(failed, judge)));
    const editor = createEditor(place, draft.text, changed, () => save.click());
    const bench = { editor, draft, subject, changed, refresh };
    const [save, judged] = [saving(bench, said), judgement(bench, failed)];
    const cards = [who(bench), matrix(bench), changes(bench), flow(bench)];
    const layOut = async () => {
      await start();
      editor.replace(hujson.format(editor.text()));
    };
    const format = h('button', { onclick: () => attempt(said, layOut) }, 'Format');
    const tools = h('div.toolbar', format, h('button', { onclick: editor.undo }, 'Undo'), save);
    const waiting = h('p.waiting', 'The answers are of the last text that would be accepted.');
    const answers = h('div.answers', waiting, ...cards.map(({ view }) => view), judged.tests);
    let [pause, accepted] = [0, ''];

    function changed(): void {
      draft.text = editor.text();
      const unsaved = draft.text !== draft.opened.text;
      enable(save, unsaved);
      keep(key, unsaved ? draft : undefined);
      said.querySelector('.good')?.remove();
      clearTimeout(pause);
      // Into the address, where it is not the stored one and this view is still there.
      const share = () => place.isConnected && write({ text: unsaved ? draft.text : undefined });
      pause = window.setTimeout(share, 250);
      refresh();
    }
    async function judge(): Promise<void> {
      const text = editor.text();
      const check = await ask('check', text);
      judged.show(check);
      answers.classList.toggle('stale', !check.accepted);
      if (check.accepted) accepted = text;
      if (!accepted) return;
      const access = await ask('access', accepted);
      for (const { update } of cards) await update(accepted, access);
    }

    // Undo leads from a text that was shared back to the one under way.
    if (shared.text && shared.text !== draft.text) editor.replace(shared.text);
    changed();
    return [h('div.work', tools, said, place, judged.view), answers];
  });
};
