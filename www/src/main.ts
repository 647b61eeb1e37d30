// The page: opens the sandbox, joins editor, preview and devices. Must not live here: how each of them looks inside.
import { version } from 'tailnet-kit';
import { devicesTable } from './devices.js';
import { byId, h } from './dom.js';
import { createEditor } from './editor.js';
import { loginsOf, renderPreview } from './preview.js';
import { openSandbox } from './service.js';

const client = openSandbox();

async function showPolicy(): Promise<void> {
  const { text } = await client.acl.get();
  const suggestions = h('datalist', { id: 'logins' });
  const user = h('input', { id: 'user', type: 'text', autocomplete: 'off', spellcheck: false, placeholder: 'alice@example.com' });
  user.setAttribute('list', suggestions.id);
  const answer = h('div', { className: 'answer', ariaLive: 'polite' });
  byId('preview').append(h('label', { htmlFor: user.id }, 'Rules for the user'), user, suggestions, answer);

  const editor = createEditor(byId('editor'), text, () => update());
  const suggest = (): void => suggestions.replaceChildren(...loginsOf(editor.text()).map((value) => h('option', { value })));
  const update = (): void => {
    const started = performance.now();
    const shown = renderPreview(answer, editor.text(), user.value.trim(), editor.goTo);
    showFooter(performance.now() - started);
    editor.mark(shown.lines);
    editor.report(shown.issues);
  };
  user.addEventListener('input', update);
  user.addEventListener('focus', suggest);
  user.value = loginsOf(text)[0] ?? '';
  suggest();
  update();
}

async function showDevices(): Promise<void> {
  byId('devices').append(devicesTable(await client.devices.list()));
}

function showFooter(elapsed: number): void {
  byId('footer').textContent = `tailnet-kit ${version} · last answer in ${elapsed.toFixed(1)} ms, in this page`;
}

/** A failure is shown where its answer would have stood. */
function shownIn(id: string, work: Promise<void>): void {
  work.catch((error: unknown) => {
    byId(id).append(h('p', { className: 'problem', role: 'alert' }, error instanceof Error ? error.message : String(error)));
  });
}

shownIn('policy', showPolicy());
shownIn('devices', showDevices());
