// Nameservers, MagicDNS and search paths. Must not live here: what a good nameserver or search path is.
import { type Issue, dns } from 'tailnet-kit/slim';
import { attempt, card, enable, field, fill, h, live, prose } from './dom.js';
import { client } from './service.js';
import { keep, kept, typed } from './storage.js';

/** A list that is sent whole; `emptied` warns of what it means to empty it. */
interface Entries extends Record<'title' | 'about' | 'emptied', string> {
  check(entry: string): Issue[];
  send(entries: string[]): Promise<string[]>;
}

export const dnsView = (root: HTMLElement): Promise<void> => {
  const load = async () => {
    const { dns } = await client();
    return Promise.all([dns, dns.nameservers.get(), dns.preferences.get(), dns.searchPaths.get()]);
  };
  return fill(root, 'Asking for the DNS settings …', load, ([service, servers, { magicDNS }, paths]) => {
    const { nameservers, preferences, searchPaths } = service;
    const [box, said] = [h('input', { type: 'checkbox', checked: magicDNS }), live()];
    const turn = async () => {
      const wanted = box.checked;
      box.checked = !wanted; // It shows what is so, whatever was asked for.
      box.checked = (await preferences.set({ magicDNS: wanted })).magicDNS;
    };
    box.onchange = () => attempt(said, turn);
    const ofServers = {
      title: 'Nameservers',
      about: 'Whom devices ask for names outside the network, in this order.',
      emptied: 'Without a nameserver MagicDNS goes off, and stays off until it is turned on again.',
      check: dns.checkNameserver,
      send: async (entries: string[]) => {
        const answer = await nameservers.set(entries);
        box.checked = answer.magicDNS;
        return answer.dns;
      },
    };
    const ofPaths = {
      title: 'Search paths',
      about: 'Domains that are tried behind a short name.',
      emptied: 'Without a search path short names are looked up as they are.',
      check: dns.checkSearchPath,
      send: async (entries: string[]) => (await searchPaths.set(entries)).searchPaths,
    };
    const about = h('p.quiet', 'Devices find each other by name. It needs at least one nameserver.');
    const magic = card('MagicDNS', '', about, h('label.choice', box, 'MagicDNS is on'), said);
    return [entriesCard(servers.dns, ofServers), magic, entriesCard(paths.searchPaths, ofPaths)];
  });
};

function entriesCard(stored: string[], { title, about, emptied, check, send }: Entries): Node {
  const [remarks, said, name] = [live(), live(), `dns.${title}`];
  const [draft, save] = [typed(name), h('button.primary', `Save ${title.toLowerCase()}`)];
  const entries = () => input.value.split('\n').map((line) => line.trim()).filter(Boolean);
  const remark = ({ severity, message, hint }: Issue) =>
    h(`p.${severity === 'error' ? 'problem' : 'warning'}`, ...prose(hint ? `${message} (${hint})` : message));
  const judge = () => {
    const warning = stored.length > 0 && !entries().length && h('p.warning', emptied);
    remarks.replaceChildren(...entries().flatMap(check).map(remark), warning || '');
    said.replaceChildren();
    enable(save, entries().join('\n') !== stored.join('\n'));
  };
  const store = async () => {
    const sent = input.value;
    stored = await send(entries());
    // What was typed meanwhile stays.
    if (input.value === sent) {
      input.value = stored.join('\n');
      keep(draft, undefined);
    }
    judge();
    return 'Saved.';
  };
  const input = kept(name, h('textarea', { rows: 5, value: stored.join('\n') }), judge);
  save.onclick = () => attempt(said, store);
  judge();
  return card(title, '', h('p.quiet', about), field('One per line', input), remarks, h('div.toolbar', save), said);
}
