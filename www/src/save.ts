// Saving under If-Match; when somebody else was faster, both changes and the merge of them; without an ETag, asking first. Must not live here: the merging of texts.
import { type AclText, type policy, isTailnetError } from 'tailnet-kit/slim';
import { attempt, copy, h, list } from './dom.js';
import { ask } from './kit.js';
import type { Workbench } from './policy.js';
import { client } from './service.js';

export function saving({ editor, draft, changed, save, panel }: Workbench): void {
  /** From now on `stored` is what changes are measured against. */
  const rebase = (stored: AclText, text: string, words: string): string => {
    draft.opened = stored;
    if (editor.text() === text) changed();
    else editor.replace(text);
    return words;
  };
  const saved = (stored: AclText): string => rebase(stored, stored.text, 'Saved.');
  const store = async (): Promise<string | void> => {
    const { acl } = await client();
    const { text, etag } = draft.opened;
    if (etag === null) {
      const stored = await acl.get();
      return stored.text === text ? unguarded() : conflict(stored);
    }
    try {
      return saved(await acl.set(editor.text(), { ifMatch: etag }));
    } catch (error) {
      if (!isTailnetError(error, 'precondition_failed')) throw error;
      await conflict(await acl.get());
    }
  };
  /** Without an ETag nothing tells the service what was overwritten: whether to, a person says. */
  const unguarded = (): void => {
    const { all, over, later } = copy<'over' | 'later'>('unguarded');
    over.onclick = () =>
      void attempt(panel, async () => saved(await (await client()).acl.set(editor.text(), { overwrite: true })));
    later.onclick = () => panel.replaceChildren();
    panel.replaceChildren(all);
    later.focus();
  };
  const conflict = async (stored: AclText): Promise<void> => {
    const base = draft.opened.text;
    const { merge } = await import('./editor.js');
    const together = (others: string): string => {
      const merged = merge(base, editor.text(), others);
      if (merged === null) throw new Error('Both changed the same words. Take one side, then add the other by hand.');
      return merged;
    };
    const parts = copy<'mine' | 'theirs' | 'clash' | 'merge' | 'take' | 'over' | 'later'>('conflict');
    list(parts.mine, (await ask('diff', base, editor.text())).map(difference), 'Nothing but layout and comments.');
    list(parts.theirs, (await ask('diff', base, stored.text)).map(difference), 'Nothing but layout and comments.');
    parts.merge.hidden = merge(base, editor.text(), stored.text) === null;
    parts.clash.hidden = !parts.merge.hidden;
    parts.merge.textContent = stored.etag === null ? 'Merge' : 'Merge and save';
    parts.merge.onclick = () =>
      void attempt(panel, async () => {
        if (stored.etag !== null) return saved(await (await client()).acl.update(together));
        return rebase(stored, together(stored.text), 'Merged. Look at what changes, then save.');
      });
    parts.take.onclick = () => void attempt(panel, async () => rebase(stored, stored.text, ''));
    parts.over.onclick = () => void attempt(panel, async () => rebase(stored, editor.text(), 'Look at what changes, then save.'));
    parts.later.onclick = () => panel.replaceChildren();
    panel.replaceChildren(parts.all);
  };
  save.onclick = async () => {
    save.disabled = true;
    await attempt(panel, store);
    save.disabled = editor.text() === draft.opened.text;
  };
}

const short = (value: unknown): string => JSON.stringify(value)?.slice(0, 120) ?? '';

const difference = ({ pointer, kind, before, after }: ReturnType<typeof policy.diff>[number]): HTMLElement =>
  h('li', '', h('code', '', pointer || '/'), ` ${kind} `, h('del', '', short(before)), ' ', h('ins', '', short(after)));
