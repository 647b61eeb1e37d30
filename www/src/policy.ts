// The policy workbench: editor on one side, answers about its text on the other. Must not live here: what a single answer looks like.
import { hujson, type AclText } from 'tailnet-kit/slim';
import { matrixCard } from './access.js';
import { changesCard } from './changes.js';
import { button, h, problem } from './dom.js';
import type { Editor } from './editor.js';
import { flowCard } from './flow.js';
import { issuesList } from './issues.js';
import { ask, know, start } from './kit.js';
import { saveControl } from './save.js';
import { beginning, connected } from './service.js';
import { keep, recall } from './storage.js';
import { subjectCard } from './subject.js';
import { testsCard } from './tests.js';
import { type Shared, write } from './url.js';

/** The text under way, and the stored one it grew from. */
export interface Draft {
  opened: AclText;
  text: string;
}

/** What every card may do with the text beside it. */
export interface Workbench {
  editor: Editor;
  draft: Draft;
  /** Asks everything again, of the text as it now is. */
  refresh(): void;
}

/** One card: its element, and how it shows what a text means. */
export interface Card {
  element: HTMLElement;
  update(text: string): Promise<void> | void;
}

export async function policyView(root: HTMLElement, shared: Shared): Promise<void> {
  root.replaceChildren(h('p', { className: 'quiet' }, 'Reading the policy …'));
  try {
    const { acl, devices } = await beginning();
    know({ devices, domains: [connected().tailnet].filter((name) => !name.includes('@')) });
    const draft = recall<Draft>('draft') ?? { opened: acl, text: acl.text };
    await workbench(root, { ...draft, text: shared.text ?? draft.text }, shared.for ?? '');
  } catch (error) {
    root.replaceChildren(problem(error, () => void policyView(root, shared)));
  }
}

async function workbench(root: HTMLElement, draft: Draft, subject: string): Promise<void> {
  const place = h('div', { className: 'editor' });
  // Until the editor is there its text can be read and written already.
  const plain = h('textarea', { value: draft.text, ariaLabel: 'Policy text', spellcheck: false });
  place.append(plain);
  const left = h('div', { className: 'column text' }, place);
  const waiting = h('p', { className: 'waiting warning' }, 'The answers are of the last text that would be accepted.');
  const right = h('div', { className: 'column answers' }, waiting);
  root.replaceChildren(left, right);

  const { createEditor } = await import('./editor.js');
  const focused = document.activeElement === plain;
  plain.remove();
  const editor = createEditor(place, plain.value, () => bench.refresh());
  if (focused) editor.goTo(1);
  const bench: Workbench = { editor, draft, refresh: () => refresh() };

  const issues = issuesList(bench);
  const save = saveControl(bench);
  const cards: Card[] = [subjectCard(bench, subject), matrixCard(bench), flowCard(bench), changesCard(bench)];
  const tests = testsCard(bench);
  left.prepend(toolbar(bench, save.button), save.panel);
  left.append(issues.element);
  right.append(...cards.map((card) => card.element), tests.element);

  const judge = async (text: string): Promise<void> => {
    const check = await ask('check', text);
    editor.report(check.issues);
    issues.show(check);
    tests.show(check.tests);
    right.classList.toggle('stale', !check.accepted);
    save.show(text);
    if (check.accepted) await Promise.all(cards.map((card) => card.update(text)));
  };

  // One round at a time, always with the latest text: however long an answer takes, no key waits for it.
  let running = false;
  let again = false;
  const refresh = async (): Promise<void> => {
    draft.text = editor.text();
    keep('draft', draft.text === draft.opened.text ? undefined : draft);
    again = running;
    if (running) return;
    running = true;
    await judge(draft.text).catch((error: unknown) => issues.fail(error));
    running = false;
    if (again) return refresh();
    await write({ text: draft.text === draft.opened.text ? undefined : draft.text });
  };
  await refresh();
}

function toolbar({ editor }: Workbench, save: HTMLElement): HTMLElement {
  const said = h('span', { className: 'quiet', role: 'status' });
  const format = async (): Promise<void> => {
    await start();
    editor.replace(hujson.format(editor.text()));
    said.textContent = '';
  };
  const share = async (): Promise<void> => {
    await navigator.clipboard.writeText(location.href);
    said.textContent = 'Link copied: text, subject and view are in it.';
  };
  return h(
    'div',
    { className: 'toolbar' },
    button('Format', () => void format().catch((error: Error) => (said.textContent = error.message))),
    button('Undo', editor.undo),
    button('Redo', editor.redo),
    button('Copy link', () => void share().catch(() => (said.textContent = 'The link is in the address bar.'))),
    said,
    save,
  );
}
