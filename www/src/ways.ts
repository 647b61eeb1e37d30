// What is done with the text as a whole: laid out, undone, put back. Must not live here: what it means; saving it.
import { hujson, policy } from 'tailnet-kit/slim';
import { attempt, choose, enable, h } from './dom.js';
import type { Edit } from './examples.js';
import { start } from './kit.js';
import { example, startOver } from './service.js';
import type { Workbench } from './workbench.js';

/** The tools above the editor; `said` tells why one failed. */
export function editing({ editor, draft }: Workbench, said: HTMLElement) {
  /** Changes the text where it must, so that the cursor stays where it is. */
  const rewrite = (change: (text: string) => string) =>
    attempt(said, async () => {
      await start();
      const text = editor.text();
      editor.edit(policy.edit.changes(text, change(text)));
    });
  const revert = h('button', { onclick: () => editor.replace(draft.opened.text) }, 'Revert');
  const ask = () => choose('Start over?', [h('p', 'The sandbox in this page goes back to its example, and what is typed for it is dropped.')], [['Keep it'], ['Start over', async () => startOver(), 'danger']]);
  const toolbar = h(
    'div.toolbar',
    h('button', { onclick: () => rewrite(hujson.format) }, 'Format'),
    h('button', { onclick: editor.undo }, 'Undo'),
    h('button', { onclick: editor.redo }, 'Redo'),
    revert,
    example() ? h('button', { onclick: ask }, 'Start over') : null,
  );
  return {
    toolbar,
    tried: ({ edit }: Edit) => void rewrite(edit),
    /** Whether there is anything to revert. */
    show: (unsaved: boolean) => enable(revert, unsaved),
  };
}
