// Nameservers, MagicDNS and search paths. Must not live here: what a good nameserver or search path is.
import { type Issue, dns } from 'tailnet-kit/slim';
import { button, card, field, h, problem } from './dom.js';
import { client } from './service.js';
import { keep, kept } from './storage.js';

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim()).filter(Boolean);

interface List {
  title: string;
  name: string;
  stored: string[];
  check(entry: string): Issue[];
  /** What emptying the list would bring about. */
  warning?: () => string;
  send(entries: string[]): Promise<string[]>;
}

export async function dnsView(root: HTMLElement): Promise<void> {
  root.replaceChildren(h('p', { className: 'quiet' }, 'Asking for the DNS settings …'));
  try {
    const { nameservers, preferences, searchPaths } = (await client()).dns;
    const [{ dns: servers }, { magicDNS }, { searchPaths: paths }] = await Promise.all([nameservers.get(), preferences.get(), searchPaths.get()]);
    const magic = magicCard(magicDNS);
    const serversCard = listCard({
      title: 'Nameservers',
      name: 'dns.nameservers',
      stored: servers,
      check: dns.checkNameserver,
      warning: () => (magic.on() ? 'Without a nameserver MagicDNS goes off, and stays off until it is turned on again.' : ''),
      async send(entries) {
        const answer = await nameservers.set(entries);
        magic.show(answer.magicDNS);
        return answer.dns;
      },
    });
    const pathsCard = listCard({
      title: 'Search paths',
      name: 'dns.searchPaths',
      stored: paths,
      check: dns.checkSearchPath,
      send: async (entries) => (await searchPaths.set(entries)).searchPaths,
    });
    root.replaceChildren(serversCard, magic.element, pathsCard);
  } catch (error) {
    root.replaceChildren(problem(error, () => void dnsView(root)));
  }
}

/** A list that is sent whole, one entry a line. */
function listCard({ title, name, stored, check, warning, send }: List): HTMLElement {
  const input = kept(name, h('textarea', { value: stored.join('\n'), rows: 5, spellcheck: false }));
  const remarks = h('div', { ariaLive: 'polite' });
  const said = h('div', { ariaLive: 'polite' });
  const judge = (): void => {
    const entries = linesOf(input.value);
    const emptied = entries.length === 0 && stored.length > 0 ? (warning?.() ?? '') : '';
    const found = entries.flatMap((entry) => check(entry).map(({ severity, message, hint }) => ({ severity, words: `${entry}: ${message}${hint ? ` (${hint})` : ''}` })));
    remarks.replaceChildren(
      ...found.map(({ severity, words }) => h('p', { className: severity === 'error' ? 'problem' : 'warning' }, words)),
      ...(emptied ? [h('p', { className: 'warning' }, emptied)] : []),
    );
    save.disabled = entries.join('\n') === stored.join('\n');
  };
  const store = async (): Promise<void> => {
    stored = await send(linesOf(input.value));
    input.value = stored.join('\n');
    keep(name, undefined);
    said.replaceChildren(h('p', { className: 'verdict good' }, 'Saved.'));
    judge();
  };
  const save = button(`Save ${title.toLowerCase()}`, () => void store().catch((error: unknown) => said.replaceChildren(problem(error))), 'primary');
  input.addEventListener('input', () => {
    said.replaceChildren();
    judge();
  });
  judge();
  return card(title, field('One a line', input), remarks, h('div', { className: 'toolbar' }, save), said);
}

function magicCard(on: boolean) {
  const box = h('input', { type: 'checkbox', checked: on });
  const said = h('div', { ariaLive: 'polite' });
  const show = (magicDNS: boolean): void => {
    on = box.checked = magicDNS;
    said.replaceChildren();
  };
  box.addEventListener('change', () => {
    const set = async (): Promise<void> => show((await (await client()).dns.preferences.set({ magicDNS: box.checked })).magicDNS);
    void set().catch((error: unknown) => {
      show(on);
      said.replaceChildren(problem(error));
    });
  });
  const about = h('p', { className: 'quiet' }, 'Devices find each other by name. It needs at least one nameserver.');
  return { element: card('MagicDNS', h('label', { className: 'switch' }, box, 'MagicDNS is on'), about, said), show, on: () => on };
}
