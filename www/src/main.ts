// The page: its views, and which of them is shown. Must not live here: what a view shows.
import { devicesView } from './devices.js';
import { dnsView } from './dns.js';
import { the } from './dom.js';
import { start } from './kit.js';
import { policyView, revisit } from './policy.js';
import { chooseService, described } from './service.js';
import { recall, typed } from './storage.js';
import { type Shared, read, write } from './url.js';

const views = { policy: policyView, devices: devicesView, dns: dnsView };
const shown = new Set<string>();

function show({ view = '', ...shared }: Shared): void {
  const name = (view in views ? view : 'policy') as keyof typeof views;
  for (const other of Object.keys(views)) {
    the(other).hidden = other !== name;
    the(`to-${other}`).ariaCurrent = other === name ? 'page' : null;
  }
  the('connected').textContent = described();
  if (!shown.has(name)) void views[name](the(name), shared);
  else if (name === 'policy') revisit();
  shown.add(name);
}

/** Goes where these changes of the address lead. */
function go(changes: Shared): void {
  write(changes);
  show(read());
}

for (const view of Object.keys(views)) the(`to-${view}`).onclick = () => go({ view });
the('connection').onclick = () =>
  chooseService(() => {
    shown.clear(); // Everything anew, of the service the page is now connected to.
    go({ text: undefined, for: undefined });
  });
addEventListener('hashchange', () => {
  shown.delete('policy');
  show(read());
});
// Whoever touches the page will ask something soon.
for (const event of ['pointerdown', 'keydown']) addEventListener(event, start, { once: true });
// After a reload the text under way is nearer than the one in the address.
const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
const { text, ...rest } = read();
show(entry?.type === 'reload' && recall(typed('policy')) ? rest : { text, ...rest });
