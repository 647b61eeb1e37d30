// The page: its views, and which of them is shown. Must not live here: what a view shows.
import { devicesView } from './devices.js';
import { dnsView } from './dns.js';
import { the } from './dom.js';
import { start } from './kit.js';
import { policyView, revisit } from './policy.js';
import { reviewView } from './review.js';
import { chooseService, described, useExample, whenAnother } from './service.js';
import { recall, typed } from './storage.js';
import { type Shared, isOwn, read, write } from './url.js';

/** Each view with its title. */
const views = {
  policy: { title: 'Policy', draw: policyView },
  review: { title: 'Review', draw: reviewView },
  devices: { title: 'Devices', draw: devicesView },
  dns: { title: 'DNS', draw: dnsView },
};
const shown = new Set<string>();

function show({ view = '', example, ...shared }: Shared): void {
  const name = (view in views ? view : 'policy') as keyof typeof views;
  if (example && useExample(example)) shown.clear();
  for (const other of Object.keys(views)) {
    the(other).hidden = other !== name;
    the(`to-${other}`).ariaCurrent = other === name ? 'page' : null;
  }
  if (name === 'review' && shared.before !== undefined) shown.delete(name);
  document.title = `${views[name].title} · tailnet-kit`;
  the('connected').textContent = described();
  if (!shown.has(name)) void views[name].draw(the(name), shared);
  else if (name === 'policy') revisit(shared);
  shown.add(name);
}

whenAnother(() => {
  shown.clear(); // Everything anew, of the service the page is now connected to.
  write({ text: undefined, for: undefined, example: undefined });
  show(read());
});
the('connection').onclick = chooseService;
// Of an address that the page wrote itself only the view counts: what was typed since is nearer than its text.
addEventListener('popstate', () => show(isOwn() ? { view: read().view } : read()));
// Whoever touches the page will ask something soon.
for (const event of ['pointerdown', 'keydown']) addEventListener(event, start, { once: true });
// After a reload the text under way is nearer than the one in the address.
const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
const { text, ...rest } = read();
useExample(rest.example ?? '');
show(entry?.type === 'reload' && rest.view !== 'review' && recall(typed('policy')) ? rest : { text, ...rest });
