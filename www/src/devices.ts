// The table of devices: filter, sort, routes, delete. Must not live here: how routes are edited.
import type { Device } from 'tailnet-kit/slim';
import { type Child, choose, fill, h } from './dom.js';
import { know } from './kit.js';
import { routesEditor, summary } from './routes.js';
import { client } from './service.js';
import { kept } from './storage.js';

/** A device that was seen this lately counts as online; a key that expires this soon is worth a look. */
const [ONLINE_MS, SOON_MS] = [5 * 60_000, 14 * 86_400_000];

const nameOf = ({ name, hostname, id }: Device) => hostname || name?.split('.')[0] || id;
const seenOf = ({ lastSeen = '' }: Device) => Date.parse(lastSeen) || 0;
const expiryOf = ({ keyExpiryDisabled, expires = '' }: Device) =>
  (!keyExpiryDisabled && Date.parse(expires)) || Infinity;

const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
function relative(time: number): string {
  const hours = (time - Date.now()) / 3_600_000;
  if (Math.abs(hours) < 1) return ago.format(Math.round(hours * 60), 'minute');
  return Math.abs(hours) < 48 ? ago.format(Math.round(hours), 'hour') : ago.format(Math.round(hours / 24), 'day');
}

function seen(device: Device): Child[] {
  const time = seenOf(device);
  if (time > Date.now() - ONLINE_MS) return [h('span.online', 'online')];
  return [h('span.offline', time ? relative(time) : 'never')];
}

function expiry(device: Device): Child[] {
  const time = expiryOf(device);
  if (time === Infinity) return [h('span.quiet', 'never')];
  if (time < Date.now()) return [h('span.bad', `expired ${relative(time)}`)];
  return [h(`span.${time < Date.now() + SOON_MS ? 'soon' : ''}`, relative(time))];
}

const badge = (words: string) => h('code.badge', words);
const named = (device: Device): Child[] => [
  nameOf(device),
  device.isExternal && badge('external'),
  device.authorized === false && badge('not authorized'),
  device.updateAvailable && badge('update available'),
];

/** What a column shows of a device, and by what it sorts if not by that. */
const columns: { title: string; show(device: Device): Child[]; key?(device: Device): number }[] = [
  { title: 'Name', show: named },
  { title: 'Owner or tags', show: ({ tags, user }) => (tags?.length ? tags.map(badge) : [user]) },
  { title: 'Address', show: ({ addresses = [] }) => [h('code', { title: addresses.join('\n') }, addresses[0])] },
  { title: 'System', show: ({ os }) => [os] },
  { title: 'Seen', show: seen, key: (device) => Date.now() - seenOf(device) },
  { title: 'Key expires', show: expiry, key: expiryOf },
];
const { compare } = new Intl.Collator('en', { numeric: true });

export const devicesView = (root: HTMLElement): Promise<void> =>
  fill(root, 'Asking for the devices …', async () => (await client()).devices.list({ fields: 'all' }), table);

function table(devices: Device[]): Node[] {
  const tell = () => know({ devices: [...rows.keys()] });
  const gone = (device: Device) => {
    rows.delete(device);
    tell();
    draw();
    input.focus(); // The button that had the focus is gone.
  };
  const rows = new Map(devices.map((device) => [device, rowOf(device, () => gone(device), tell)]));
  const draw = () => {
    const words = input.value.toLowerCase().split(/\s+/);
    const found = [...rows.values()].filter(({ text }) => words.every((word) => text.includes(word)));
    found.sort((a, b) => compare(`${a.keys[by]}`, `${b.keys[by]}`) * (turned ? -1 : 1));
    heads.forEach((head, index) => (head.ariaSort = index !== by ? 'none' : turned ? 'descending' : 'ascending'));
    count.textContent = `${found.length < rows.size ? `${found.length} of ` : ''}${rows.size} devices`;
    none.hidden = found.length > 0;
    body.replaceChildren(...found.flatMap(({ elements }) => elements));
  };
  let [by, turned] = [0, false];
  const sort = (column: number) => {
    [by, turned] = [column, by === column && !turned];
    draw();
  };
  const heads = columns.map(({ title }, index) =>
    h('th', { scope: 'col' }, h('button.sort', { onclick: () => sort(index) }, title)));
  const placeholder = 'Filter by name, owner, tag, address or system';
  const input = kept('devices.filter', h('input', { placeholder, ariaLabel: 'Filter devices' }), draw);
  const [count, body] = [h('span.quiet', { role: 'status' }), h('tbody')];
  const none = h('p.quiet none', 'No device matches.');
  const last = [h('th', { scope: 'col' }, 'Routes'), h('th', { scope: 'col' }, h('span.hidden', 'Delete'))];
  tell();
  draw();
  const all = h('table.devices', h('thead', h('tr', ...heads, ...last)), body);
  return [h('div.toolbar', input, count), h('div.card scroll', all, none)];
}

/** The row of a device and the one that unfolds below it, with what they are found and sorted by. */
function rowOf(device: Device, gone: () => void, changed: () => void) {
  const place = h('td', { colSpan: columns.length + 2 });
  const more = h('tr.more', { hidden: true }, place);
  const edited = () => {
    unfold.textContent = summary(device);
    changed();
  };
  const onclick = () => {
    more.hidden = !more.hidden;
    unfold.ariaExpanded = String(!more.hidden);
    if (!place.firstChild) place.append(routesEditor(device, edited));
  };
  const unfold = h('button.unfold', { ariaExpanded: 'false', onclick }, summary(device));
  const cells = [...columns, { title: 'Routes', show: () => [unfold] }].map(({ title, show }, index) => {
    const cell = index ? h('td', ...show(device)) : h('th', { scope: 'row' }, ...show(device));
    cell.dataset.title = title;
    return cell;
  });
  const remove = h('button.danger', { ariaLabel: `Delete ${nameOf(device)}` }, 'Delete');
  remove.onclick = () => askDelete(device, gone);
  const texts = columns.map((_, index) => cells[index]?.textContent ?? '');
  return {
    text: [...texts, device.addresses].join(' ').toLowerCase(),
    keys: columns.map(({ key }, index) => key?.(device) ?? texts[index]),
    elements: [h('tr.device', ...cells, h('td.remove', remove)), more],
  };
}

/** Asks first; for a device of somebody else it says why it stays. */
function askDelete(device: Device, gone: () => void): void {
  const [name, { user = 'Another network', isExternal }] = [nameOf(device), device];
  const why = h('p', `${user} shares it with this network, and only its own network can delete it.`);
  if (isExternal) return void choose(`${name} cannot be deleted here`, [why], [['Close']]);
  const what = h('p', 'It leaves the network at once, and must sign in again to come back.');
  const remove = async () => (await client()).devices.delete(device.id).then(() => 'Deleted.');
  void choose(`Delete ${name}?`, [what], [['Keep it'], ['Delete', remove, 'danger']]).then((done) => done && gone());
}
