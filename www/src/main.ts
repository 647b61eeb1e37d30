// The page: its views, and which of them is shown. Must not live here: what a view shows.
import { askConnection } from './connect.js';
import { devicesView } from './devices.js';
import { dnsView } from './dns.js';
import { attempt, the } from './dom.js';
import { start } from './kit.js';
import { policyView, revisit } from './policy.js';
import { connected, described } from './service.js';
import { recall, typed } from './storage.js';
import { type Shared, read, write } from './url.js';

const views: Record<string, (root: HTMLElement, shared: Shared) => Promise<void>> = { policy: policyView, devices: devicesView, dns: dnsView };
const shown = new Set<string>();

async function show({ view = 'policy', ...shared }: Shared): Promise<void> {
  const name = view in views ? view : 'policy';
  for (const other of Object.keys(views)) {
    the(other).hidden = other !== name;
    the(`to-${other}`).ariaCurrent = other === name ? 'page' : null;
  }
  the('connected').textContent = described(connected());
  if (shown.has(name)) return name === 'policy' ? revisit() : undefined;
  shown.add(name);
  await views[name]?.(the(name), shared);
}

/** Everything anew, of the service the page is now connected to. */
async function reopen(): Promise<void> {
  await write({ text: undefined, for: undefined });
  shown.clear();
  await show(await read());
}

for (const view of Object.keys(views)) the(`to-${view}`).onclick = () => void write({ view }).then(read).then(show);
the('connection').onclick = () => askConnection(() => void reopen());
addEventListener('hashchange', () => {
  shown.delete('policy');
  void read().then(show);
});
// Whoever touches the page will ask something soon.
const warm = (): void => void attempt(the('failed'), () => start().then(() => ''));
for (const event of ['pointerdown', 'keydown']) addEventListener(event, warm, { once: true });
// After a reload the text under way is nearer than the one in the address.
const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
void read().then(({ text, ...rest }) => show(entry?.type === 'reload' && recall(typed('policy')) ? rest : { ...rest, text }));
