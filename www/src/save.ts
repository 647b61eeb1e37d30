// Saving the policy: under If-Match; when somebody else was faster, with both changes and the merge of them; where no
// ETag guards it, asking first. Must not live here: what a change means.
import { mergeDiff3 } from 'node-diff3';
import { type AclText, type policy, isTailnetError } from 'tailnet-kit/slim';
import { type Child, type Work, attempt, h, list, problem } from './dom.js';
import { ask } from './kit.js';
import type { Workbench } from './policy.js';
import { client } from './service.js';

/** The button that saves, and the panel that says what came of it. */
export function saving({ editor, draft, changed }: Omit<Workbench, 'subject'>) {
  const panel = h('div.saving', { role: 'region', ariaLabel: 'Saving', tabIndex: -1 });
  /** From now on changes are measured against `stored`, and `text` stands in the editor. */
  const rebase = (stored: AclText, text: string, words: string) => {
    draft.opened = stored;
    if (editor.text() === text) changed();
    else editor.replace(text);
    return words;
  };
  /** What was typed since `sent` stays. */
  const saved = async (stored: AclText, sent: string) =>
    rebase(stored, await merge(sent, editor.text(), stored.text).catch(() => stored.text), 'Saved.');
  const send = async (how: { ifMatch: string } | { overwrite: true }) => {
    const sent = editor.text();
    return saved(await (await client()).acl.set(sent, how), sent);
  };
  const store = async () => {
    const { text, etag } = draft.opened;
    try {
      if (etag !== null) return await send({ ifMatch: etag });
    } catch (error) {
      if (!isTailnetError(error, 'precondition_failed')) throw error;
    }
    const stored = await (await client()).acl.get();
    if (etag !== null || stored.text !== text) return conflict(stored);
    const risk = `Without one it cannot refuse a save that meets somebody else's. Its text is still the one you began
      with; whatever is saved there before you go on would be overwritten, and nobody told.`;
    const why = 'Nothing was written: this service, or what stands before it, shows no ETag.';
    offer(panel, why, [h('p', risk)], { 'Save anyway': () => send({ overwrite: true }), ...later });
  };
  const conflict = async (stored: AclText) => {
    const [base, guarded] = [draft.opened.text, stored.etag !== null];
    const [mine, theirs] = [side('Your changes', base, editor.text()), side('Their changes', base, stored.text)];
    const sides = h('div.sides', await mine, await theirs);
    const together = (theirs: string) => merge(base, editor.text(), theirs);
    const update = async () => {
      const sent = editor.text();
      return saved(await (await client()).acl.update((theirs) => merge(base, sent, theirs)), sent);
    };
    const look = 'Look at what changes, then save.';
    const why = 'Somebody else saved another text meanwhile. Nothing was written.';
    const clash = await together(stored.text).then(() => undefined, problem);
    offer(panel, why, [sides, clash], {
      'Merge and save': !clash && guarded && update,
      Merge: !clash && !guarded && (async () => rebase(stored, await together(stored.text), `Merged. ${look}`)),
      'Take theirs': async () => rebase(stored, stored.text, ''),
      'Keep my text, over theirs': async () => rebase(stored, editor.text(), look),
      ...later,
    });
  };
  const onclick = async () => {
    save.disabled = true;
    await attempt(panel, store);
    save.disabled = editor.text() === draft.opened.text;
  };
  const save = h('button.primary last', { onclick }, 'Save');
  const later = { 'Not now': async () => save.focus() };
  return { save, panel };
}

/** Says what stands in the way, with a button for each way out. */
function offer(panel: HTMLElement, why: string, more: Child[], ways: Record<string, Work | false>): void {
  const go = async (way: Work) => {
    await attempt(panel, way);
    if (document.activeElement === document.body) panel.focus(); // The button that was pressed is gone.
  };
  const buttons = Object.entries(ways).map(([label, way]) => way && h('button', { onclick: () => go(way) }, label));
  panel.replaceChildren(h('div', h('p.verdict bad', { role: 'alert' }, why), ...more, h('div.toolbar', ...buttons)));
  panel.focus();
}

/** Both changes to `base` in one text. */
async function merge(base: string, mine: string, theirs: string): Promise<string> {
  const { conflict, result } = mergeDiff3(mine, base, theirs, { stringSeparator: '\n' });
  if (conflict) throw new Error('Both changed the same lines. Take one side, then add the other by hand.');
  return result.join('\n');
}

/** What one side changed. */
async function side(title: string, base: string, text: string): Promise<Node> {
  const differences = h('ul.differences');
  list(differences, (await ask('diff', base, text)).map(difference), 'Nothing but layout and comments.');
  return h('div', h('h3', title), differences);
}

const short = (value: unknown) => JSON.stringify(value)?.slice(0, 120) ?? '';

const difference = ({ pointer, kind, before, after }: ReturnType<typeof policy.diff>[number]) =>
  h('li', h('code', pointer || '/'), ` ${kind} `, h('del', short(before)), ' ', h('ins', short(after)));
