// The table of devices: filter, sort, routes, delete. Must not live here: how routes are edited.
import type { Device } from 'tailnet-kit/slim';
import { type Child, attempt, button, copy, fill, h } from './dom.js';
import { know } from './kit.js';
import { routesEditor, summary } from './routes.js';
import { client } from './service.js';
import { kept } from './storage.js';

/** A device that was seen this lately counts as online. */
const ONLINE_MS = 5 * 60_000;
/** A key that expires this soon is worth a look. */
const SOON_MS = 14 * 86_400_000;

const nameOf = ({ name, hostname, id }: Device): string => hostname || name?.split('.')[0] || id;
const seenOf = ({ lastSeen = '' }: Device): number => Date.parse(lastSeen) || 0;
const expiryOf = ({ keyExpiryDisabled, expires = '' }: Device): number => (keyExpiryDisabled ? Infinity : Date.parse(expires) || Infinity);

const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
function relative(time: number): string {
  const hours = (time - Date.now()) / 3_600_000;
  if (Math.abs(hours) < 1) return ago.format(Math.round(hours * 60), 'minute');
  return Math.abs(hours) < 48 ? ago.format(Math.round(hours), 'hour') : ago.format(Math.round(hours / 24), 'day');
}

function seen(device: Device): Child {
  const time = seenOf(device);
  return time > Date.now() - ONLINE_MS ? h('span', 'online', 'online') : h('span', 'offline', time ? relative(time) : 'never');
}

function expiry(device: Device): Child {
  const [time, now] = [expiryOf(device), Date.now()];
  if (time === Infinity) return h('span', 'quiet', 'never');
  return time < now ? h('span', 'bad', `expired ${relative(time)}`) : h('span', time < now + SOON_MS ? 'soon' : '', relative(time));
}

const badge = (words: string): Child => h('code', 'badge', words);
const statesOf = ({ isExternal, authorized, updateAvailable }: Device): string[] =>
  [isExternal && 'external', authorized === false && 'not authorized', updateAvailable && 'update available'].filter((state) => typeof state === 'string');

/** What a column shows of a device, and by what it sorts. */
type Column = { title: string; key(device: Device): string | number; cell(device: Device): Child[] };
const columns: Column[] = [
  { title: 'Name', key: nameOf, cell: (device) => [nameOf(device), ...statesOf(device).map(badge)] },
  { title: 'Owner or tags', key: ({ tags, user = '' }) => tags?.join(' ') || user, cell: ({ tags, user }) => (tags?.length ? tags.map(badge) : [user]) },
  { title: 'Address', key: ({ addresses = [] }) => addresses[0] ?? '', cell: ({ addresses = [] }) => [h('code', { title: addresses.join('\n') }, addresses[0])] },
  { title: 'System', key: ({ os = '' }) => os, cell: ({ os }) => [os] },
  { title: 'Seen', key: (device) => Date.now() - seenOf(device), cell: (device) => [seen(device)] },
  { title: 'Key expires', key: expiryOf, cell: (device) => [expiry(device)] },
];
const { compare } = new Intl.Collator('en', { numeric: true });

export const devicesView = (root: HTMLElement): Promise<void> =>
  fill(root, 'Asking for the devices …', async () => [table(await (await client()).devices.list({ fields: 'all' }))]);

function table(devices: Device[]): Node {
  const { all, heads, body, count, none, ...parts } = copy<'filter' | 'count' | 'heads' | 'body' | 'none'>('devices-view');
  const filter = kept('devices.filter', parts.filter);
  let [by, turned] = [columns[0]!, false];

  const gone = (device: Device): void => {
    rows.delete(device);
    tell();
    draw();
  };
  const rows = new Map<Device, Node[]>(devices.map((device) => [device, rowsOf(device, () => gone(device), () => tell())]));
  const tell = (): void => know({ devices: [...rows.keys()] });
  const draw = (): void => {
    const words = filter.value.toLowerCase().split(/\s+/);
    const textOf = (device: Device): string => [...columns.map(({ key }) => key(device)), device.addresses].join(' ').toLowerCase();
    const found = [...rows.keys()].filter((device) => words.every((word) => textOf(device).includes(word)));
    found.sort((a, b) => compare(`${by.key(a)}`, `${by.key(b)}`) * (turned ? -1 : 1));
    columns.forEach((column, index) => (heads.children[index]!.ariaSort = column !== by ? 'none' : turned ? 'descending' : 'ascending'));
    count.textContent = found.length === rows.size ? `${rows.size} devices` : `${found.length} of ${rows.size} devices`;
    none.hidden = found.length > 0;
    body.replaceChildren(...found.flatMap((device) => rows.get(device) ?? []));
  };
  const sort = (column: Column): void => {
    [by, turned] = [column, by === column && !turned];
    draw();
  };
  heads.prepend(...columns.map((column) => h('th', { scope: 'col' }, button(column.title, () => sort(column), 'sort'))));
  filter.addEventListener('input', draw);
  tell();
  draw();
  return all;
}

/** The row of a device, and the one that unfolds below it. */
function rowsOf(device: Device, gone: () => void, changed: () => void): Node[] {
  const { row, routes, remove, more, place } = copy<'row' | 'routes' | 'remove' | 'more' | 'place'>('device');
  const cells = columns.map(({ title, cell }, index) => {
    const shown = index ? h('td', '', ...cell(device)) : h('th', { scope: 'row' }, ...cell(device));
    shown.dataset.title = title;
    return shown;
  });
  const tell = (): void => {
    routes.textContent = summary(device);
    changed();
  };
  routes.onclick = () => {
    more.hidden = !more.hidden;
    routes.ariaExpanded = String(!more.hidden);
    if (!place.firstChild) place.append(routesEditor(device, tell));
  };
  remove.onclick = () => askDelete(device, gone);
  remove.ariaLabel = `Delete ${nameOf(device)}`;
  row.prepend(...cells);
  routes.textContent = summary(device);
  return [row, more];
}

/** Asks first; for a device of somebody else it says why it stays. */
function askDelete(device: Device, gone: () => void): void {
  const { all, dialog, name, owner, said, sure } = copy<'dialog' | 'name' | 'owner' | 'said' | 'sure'>(device.isExternal ? 'external' : 'delete');
  name.textContent = nameOf(device);
  if (device.isExternal) owner.textContent = device.user ?? 'another network';
  else sure.onclick = () => void attempt(said, () => client().then(({ devices }) => devices.delete(device.id)).then(() => (dialog.close(), gone())));
  dialog.onclose = () => dialog.remove();
  document.body.append(all);
  dialog.showModal();
}
