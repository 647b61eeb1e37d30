// The page: its views and which of them is shown, the dialog that chooses a service.
// Must not live here: what a view shows; the connection itself.
import { devicesView } from './devices.js';
import { dnsView } from './dns.js';
import { attempt, the } from './dom.js';
import { start } from './kit.js';
import { policyView, revisit } from './policy.js';
import { type Connection, SANDBOX_KEY, connect, connection, described } from './service.js';
import { recall, typed } from './storage.js';
import { type Shared, read, write } from './url.js';

const views: Record<string, (root: HTMLElement, shared: Shared) => Promise<void>> =
  { policy: policyView, devices: devicesView, dns: dnsView };
const shown = new Set<string>();

async function show({ view = 'policy', ...shared }: Shared): Promise<void> {
  const name = view in views ? view : 'policy';
  for (const other of Object.keys(views)) {
    the(other).hidden = other !== name;
    the(`to-${other}`).ariaCurrent = other === name ? 'page' : null;
  }
  the('connected').textContent = described();
  if (shown.has(name)) return name === 'policy' ? revisit() : undefined;
  shown.add(name);
  await views[name]?.(the(name), shared);
}

for (const view of Object.keys(views)) the(`to-${view}`).onclick = () => void write({ view }).then(read).then(show);

const dialog = the('connect') as HTMLDialogElement;
const form = dialog.querySelector('form')!;
the('connection').onclick = () => {
  const { kind, baseURL, tailnet } = connection;
  for (const [name, value] of Object.entries({ kind, [kind]: baseURL, tailnet, key: SANDBOX_KEY })) {
    const field = form.elements.namedItem(name) as HTMLInputElement | null;
    if (field) field.value = value;
  }
  the('connect-said').replaceChildren();
  dialog.showModal();
};
form.onsubmit = (event) => {
  event.preventDefault();
  const { kind, tailnet, key, ...addresses } = Object.fromEntries(new FormData(form)) as Record<string, string>;
  void attempt(the('connect-said'), async () => {
    await connect({ kind, tailnet, baseURL: addresses[kind!] ?? '' } as Connection, key!);
    dialog.close();
    // Everything anew, of the service the page is now connected to.
    await write({ text: undefined, for: undefined });
    shown.clear();
    void read().then(show);
  });
};

addEventListener('hashchange', () => {
  shown.delete('policy');
  void read().then(show);
});
// Whoever touches the page will ask something soon.
const warm = () => void attempt(the('failed'), () => start().then(() => ''));
for (const event of ['pointerdown', 'keydown']) addEventListener(event, warm, { once: true });
// After a reload the text under way is nearer than the one in the address.
const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
const nearer = entry?.type === 'reload' && recall(typed('policy'));
void read().then(({ text, ...rest }) => show(nearer ? rest : { ...rest, text }));
