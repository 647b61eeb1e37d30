// The dialog that chooses a service. Must not live here: the connection itself.
import { button, field, h, problem } from './dom.js';
import { type Connection, SANDBOX_KEY, connect, connected, inPage, reset } from './service.js';

const kinds: [Connection['kind'], string, string, string][] = [
  ['page', 'The sandbox in this page', 'The whole service, in this tab. It forgets nothing on a reload, and everything when the tab is closed.', ''],
  ['sandbox', 'A sandbox over HTTP', 'Start one with: npx tailnet-kit sandbox --port 8081', 'http://127.0.0.1:8081'],
  ['gateway', 'Your own service behind its gateway', 'The gateway holds the key (tailnet-kit/gateway); this page has none. A path of this origin, or a port of this machine.', '/gateway'],
];

/** What the header says of a connection. */
export const described = ({ kind, baseURL, tailnet }: Connection): string => (kind === 'page' ? `Sandbox in this page · ${tailnet}` : `${baseURL} · ${tailnet}`);

export function askConnection(changed: () => void): void {
  const now = connected();
  const dialog = h('dialog', { ariaLabel: 'Connect' });
  const baseURL = h('input', { value: now.baseURL, spellcheck: false, required: true });
  const tailnet = h('input', { value: now.tailnet, spellcheck: false, required: true });
  const key = h('input', { type: 'password', value: SANDBOX_KEY, autocomplete: 'off' });
  const about = h('p', { className: 'quiet' });
  const said = h('div');
  const rows = [field('Base URL', baseURL), field('API key of the sandbox, kept nowhere', key)] as const;
  let kind = now.kind;

  const choose = ([chosen, , words, suggestion]: (typeof kinds)[number]): void => {
    kind = chosen;
    about.textContent = words;
    if (kind !== now.kind || !baseURL.value) baseURL.value = suggestion;
    rows[0].hidden = kind === 'page';
    rows[1].hidden = kind !== 'sandbox';
  };
  const option = (entry: (typeof kinds)[number]): HTMLElement => {
    const radio = h('input', { type: 'radio', name: 'kind', checked: entry[0] === kind, onchange: () => choose(entry) });
    if (radio.checked) choose(entry);
    return h('label', { className: 'switch' }, radio, entry[1]);
  };
  const finish = (): void => {
    dialog.close();
    changed();
  };
  const go = (event: Event): void => {
    event.preventDefault();
    const wanted = kind === 'page' ? inPage : { kind, baseURL: baseURL.value.trim(), tailnet: tailnet.value.trim() };
    connect({ ...wanted, tailnet: tailnet.value.trim() }, key.value).then(finish, (error: unknown) => said.replaceChildren(problem(error)));
  };
  const actions = h('div', { className: 'toolbar' }, h('button', { className: 'primary' }, 'Connect'), button('Cancel', () => dialog.close()));
  if (now.kind === 'page') actions.append(button('Start the sandbox afresh', () => void reset().then(finish), 'danger'));
  const form = h('form', { onsubmit: go }, h('h2', {}, 'Connect to'), ...kinds.map(option), about, rows[0], field('Tailnet', tailnet), rows[1], actions, said);
  dialog.append(form);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
