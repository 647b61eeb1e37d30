// Saving under If-Match; when somebody else was faster, both changes and the merge of them. Must not live here: the merging of texts.
import { type AclText, isTailnetError } from 'tailnet-kit/slim';
import { button, h, problem } from './dom.js';
import { ask } from './kit.js';
import type { Workbench } from './policy.js';
import { client } from './service.js';

type Difference = { pointer: string; kind: string; before?: unknown; after?: unknown };

export function saveControl({ editor, draft, refresh }: Workbench) {
  const panel = h('div', { className: 'panel save', role: 'region', ariaLabel: 'Saving', hidden: true });
  const say = (...parts: (Node | string)[]): void => {
    panel.hidden = parts.length === 0;
    panel.replaceChildren(...parts);
  };
  /** From now on `stored` is what changes are measured against. */
  const rebase = (stored: AclText, text: string): void => {
    draft.opened = stored;
    if (editor.text() !== text) editor.replace(text);
    refresh();
  };
  const saved = (stored: AclText): void => {
    rebase(stored, stored.text);
    say(h('p', { className: 'verdict good', role: 'status' }, 'Saved.'));
  };
  const attempt = (work: () => Promise<void>): void => {
    save.disabled = true;
    void work()
      .catch((error: unknown) => say(problem(error)))
      .finally(() => (save.disabled = false));
  };

  const store = async (): Promise<void> => {
    const { acl } = await client();
    try {
      saved(await acl.set(editor.text(), { ifMatch: draft.opened.etag ?? '' }));
    } catch (error) {
      if (!isTailnetError(error, 'precondition_failed')) throw error;
      await conflict(await acl.get());
    }
  };

  const conflict = async (theirs: AclText): Promise<void> => {
    const [base, mine] = [draft.opened.text, editor.text()];
    const { merge } = await import('./merge.js');
    const together = (text: string): string => {
      const merged = merge(base, mine, text);
      if (merged === null) throw new Error('Both changed the same words. Take one side, then add the other by hand.');
      return merged;
    };
    const both = await Promise.all([ask('diff', base, mine), ask('diff', base, theirs.text)]);
    const [yours, others] = both.map(differences);
    const settle = h('div', { className: 'toolbar' });
    if (merge(base, mine, theirs.text) === null) settle.append(h('span', {}, 'Both changed the same words.'));
    else settle.append(button('Merge and save', () => attempt(async () => saved(await (await client()).acl.update(together))), 'primary'));
    settle.append(
      button('Take theirs', () => (rebase(theirs, theirs.text), say())),
      button('Keep my text, over theirs', () => (rebase(theirs, mine), say(h('p', {}, 'Look at what changes, then save.')))),
      button('Not now', () => say()),
    );
    say(
      h('p', { className: 'verdict bad', role: 'alert' }, 'Somebody else saved another text meanwhile. Nothing was written.'),
      h('div', { className: 'sides' }, h('div', {}, h('h3', {}, 'Your changes'), yours!), h('div', {}, h('h3', {}, 'Their changes'), others!)),
      settle,
    );
  };

  const save = button('Save', () => attempt(store), 'primary');
  return {
    button: save,
    panel,
    /** There is something to save when the text is not the stored one. */
    show: (text: string): void => void (save.disabled = text === draft.opened.text),
  };
}

const short = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value).slice(0, 120));

function differences(list: Difference[]): HTMLElement {
  const item = ({ pointer, kind, before, after }: Difference): HTMLElement =>
    h('li', {}, h('code', {}, pointer || '/'), ` ${kind} `, before !== undefined && h('del', {}, short(before)), ' ', after !== undefined && h('ins', {}, short(after)));
  return list.length ? h('ul', { className: 'differences' }, ...list.map(item)) : h('p', { className: 'quiet' }, 'Nothing but layout and comments.');
}
