// Nameservers, MagicDNS and search paths. Must not live here: what a good nameserver or search path is.
import { type Issue, dns } from 'tailnet-kit/slim';
import { attempt, copy, fill, h, prose } from './dom.js';
import { client } from './service.js';
import { keep, kept, typed } from './storage.js';

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim()).filter(Boolean);

export const dnsView = (root: HTMLElement): Promise<void> =>
  fill(root, 'Asking for the DNS settings …', async () => {
    const { nameservers, preferences, searchPaths } = (await client()).dns;
    const [servers, { magicDNS }, paths] = await Promise.all([nameservers.get(), preferences.get(), searchPaths.get()]);
    const magic = copy<'box' | 'said'>('magicDNS');
    let on = magicDNS;
    /** The switch shows what is so, whatever was asked for. */
    const show = (answer = on): void => void (on = magic.box.checked = answer);
    magic.box.onchange = () =>
      attempt(magic.said, async () => show((await preferences.set({ magicDNS: magic.box.checked })).magicDNS)).finally(show);
    const sendServers = async (entries: string[]): Promise<string[]> => {
      const answer = await nameservers.set(entries);
      show(answer.magicDNS);
      return answer.dns;
    };
    const sendPaths = async (entries: string[]): Promise<string[]> => (await searchPaths.set(entries)).searchPaths;
    show();
    return [
      listCard('nameservers', servers.dns, dns.checkNameserver, sendServers, () => on),
      magic.all,
      listCard('searchPaths', paths.searchPaths, dns.checkSearchPath, sendPaths, () => true),
    ];
  });

/** A list that is sent whole, one entry a line; `warns` tells whether to warn of an empty one. */
function listCard(name: string, stored: string[], check: (entry: string) => Issue[], send: (entries: string[]) => Promise<string[]>, warns: () => boolean): Node {
  const { all, remarks, emptied, save, said, ...parts } = copy<'input' | 'remarks' | 'emptied' | 'save' | 'said'>(name);
  parts.input.value = stored.join('\n');
  const input = kept(`dns.${name}`, parts.input);
  const remark = ({ severity, message, hint }: Issue): HTMLElement =>
    h('p', severity === 'error' ? 'problem' : 'warning', ...prose(hint ? `${message} (${hint})` : message));
  const judge = (): void => {
    const entries = linesOf(input.value);
    remarks.replaceChildren(...entries.flatMap(check).map(remark));
    emptied.hidden = entries.length > 0 || !stored.length || !warns();
    save.disabled = entries.join('\n') === stored.join('\n');
  };
  save.onclick = () =>
    void attempt(said, async () => {
      stored = await send(linesOf(input.value));
      input.value = stored.join('\n');
      keep(typed(`dns.${name}`), undefined);
      judge();
      return 'Saved.';
    });
  input.addEventListener('input', () => {
    said.replaceChildren();
    judge();
  });
  judge();
  return all;
}
