// The page: its views, and which of them is shown. Must not live here: what a view shows.
import { askConnection, described } from './connect.js';
import { devicesView } from './devices.js';
import { dnsView } from './dns.js';
import { button, byId, h, problem } from './dom.js';
import { start } from './kit.js';
import { policyView } from './policy.js';
import { connected } from './service.js';
import { keep, recall } from './storage.js';
import { read, write } from './url.js';

const views: Record<string, (root: HTMLElement) => Promise<void>> = {
  policy: async (root) => {
    const { text, ...shared } = await read();
    // After a reload the text under way is nearer than the one in the address.
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    return policyView(root, entry?.type === 'reload' && recall('draft') ? shared : { ...shared, text });
  },
  devices: devicesView,
  dns: dnsView,
};
const shown = new Set<string>();

function show(name: string): void {
  for (const other of Object.keys(views)) {
    byId(other).hidden = other !== name;
    byId(`to-${other}`).ariaCurrent = other === name ? 'page' : null;
  }
  if (shown.has(name)) return;
  shown.add(name);
  void views[name]?.(byId(name));
}

async function open(): Promise<void> {
  const { view = 'policy' } = await read();
  show(view in views ? view : 'policy');
}

/** Everything anew, of another service. */
async function reopen(): Promise<void> {
  keep('draft', undefined);
  await write({ text: undefined, for: undefined });
  shown.clear();
  sayConnection();
  await open();
}

for (const name of Object.keys(views)) {
  byId(`to-${name}`).addEventListener('click', () => {
    show(name);
    void write({ view: name });
  });
}
const connection = button('', () => askConnection(() => void reopen()), 'connection');
const sayConnection = (): void => connection.replaceChildren(h('span', { className: 'hidden' }, 'Connected to: '), described(connected()));
sayConnection();
byId('connection').append(connection);
addEventListener('hashchange', () => {
  shown.delete('policy');
  void open();
});
// Whoever touches the page will ask something soon.
for (const event of ['pointerdown', 'keydown']) addEventListener(event, () => void start().catch((error: unknown) => document.querySelector('main')?.prepend(problem(error))), { once: true });
void open();
