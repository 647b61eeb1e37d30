// The table of devices: filter, sort, routes, delete. Must not live here: how routes are edited.
import type { Device } from 'tailnet-kit/slim';
import { button, h, problem } from './dom.js';
import { routesEditor } from './routes.js';
import { client, connected } from './service.js';
import { kept } from './storage.js';

/** A device that was seen this lately counts as online. */
const ONLINE_MS = 5 * 60_000;
const DAY = 86_400_000;

const nameOf = ({ name, hostname, id }: Device): string => hostname || name?.split('.')[0] || id;
const ownerOf = ({ tags, user }: Device): string => (tags?.length ? tags.join(' ') : (user ?? ''));
const timeOf = (text: string | undefined): number => (text ? Date.parse(text) : Number.NaN);
const seenOf = (device: Device): number => timeOf(device.lastSeen) || 0;
const expiryOf = (device: Device): number => (device.keyExpiryDisabled ? Infinity : timeOf(device.expires) || Infinity);

/** The columns by which the table can be sorted. */
const columns: Record<string, (a: Device, b: Device) => number> = {
  Name: (a, b) => nameOf(a).localeCompare(nameOf(b)),
  'Owner or tags': (a, b) => ownerOf(a).localeCompare(ownerOf(b)),
  Address: (a, b) => (a.addresses?.[0] ?? '').localeCompare(b.addresses?.[0] ?? '', undefined, { numeric: true }),
  System: (a, b) => (a.os ?? '').localeCompare(b.os ?? ''),
  Seen: (a, b) => seenOf(b) - seenOf(a),
  'Key expires': (a, b) => expiryOf(a) - expiryOf(b),
};

const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
function relative(time: number): string {
  const minutes = Math.round((time - Date.now()) / 60_000);
  if (Math.abs(minutes) < 60) return ago.format(minutes, 'minute');
  return Math.abs(minutes) < 60 * 48 ? ago.format(Math.round(minutes / 60), 'hour') : ago.format(Math.round(minutes / 1440), 'day');
}

function seen(device: Device): HTMLElement {
  const online = Date.now() - seenOf(device) < ONLINE_MS;
  return h('span', { className: online ? 'online' : 'offline' }, online ? 'online' : seenOf(device) ? relative(seenOf(device)) : 'never');
}

function expiry(device: Device): HTMLElement {
  const time = expiryOf(device);
  if (time === Infinity) return h('span', { className: 'quiet' }, 'never');
  const left = time - Date.now();
  return h('span', { className: left < 0 ? 'bad' : left < 14 * DAY ? 'soon' : '' }, left < 0 ? `expired ${relative(time)}` : relative(time));
}

export async function devicesView(root: HTMLElement): Promise<void> {
  root.replaceChildren(h('p', { className: 'quiet' }, 'Asking for the devices …'));
  try {
    const devices = await (await client()).devices.list({ fields: 'all' });
    root.replaceChildren(...table(devices));
  } catch (error) {
    root.replaceChildren(problem(error, () => void devicesView(root)));
  }
}

function table(devices: Device[]): HTMLElement[] {
  const filter = kept('devices.filter', h('input', { placeholder: 'Filter by name, owner, tag, address or system', ariaLabel: 'Filter devices', spellcheck: false }));
  const count = h('span', { className: 'quiet', role: 'status' });
  const body = h('tbody');
  let [by, turned] = ['Name', false];

  const gone = (device: Device): void => {
    devices.splice(devices.indexOf(device), 1);
    draw();
  };
  const heads = Object.keys(columns).map((name) => {
    const sort = (): void => {
      [by, turned] = [name, by === name && !turned];
      draw();
    };
    return h('th', { scope: 'col' }, button(name, sort, 'sort'));
  });
  const draw = (): void => {
    const words = filter.value.toLowerCase().split(/\s+/);
    const textOf = (device: Device): string => [nameOf(device), ownerOf(device), device.os, ...(device.addresses ?? [])].join(' ').toLowerCase();
    const shown = devices.filter((device) => words.every((word) => textOf(device).includes(word))).sort(columns[by]);
    if (turned) shown.reverse();
    body.replaceChildren(...shown.flatMap((device) => rows(device, gone)));
    count.textContent = `${shown.length} of ${devices.length}`;
    heads.forEach((head) => (head.ariaSort = head.textContent === by ? (turned ? 'descending' : 'ascending') : 'none'));
  };
  filter.addEventListener('input', draw);
  draw();

  const head = h('thead', {}, h('tr', {}, ...heads, h('th', { scope: 'col' }, 'Routes'), h('th', { scope: 'col' }, h('span', { className: 'hidden' }, 'Delete'))));
  const scroll = h('div', { className: 'scroll card', tabIndex: 0, role: 'region', ariaLabel: 'Devices' }, h('table', { className: 'devices' }, head, body));
  return [h('div', { className: 'toolbar' }, filter, count), scroll];
}

function rows(device: Device, gone: (device: Device) => void): HTMLElement[] {
  const place = h('td', { colSpan: 8 });
  const more = h('tr', { hidden: true, className: 'more' }, place);
  const { element, summary } = routesEditor(device, () => (routes.textContent = summary()));
  const routes = button(summary(), () => {
    more.hidden = !more.hidden;
    routes.ariaExpanded = String(!more.hidden);
    if (!place.firstChild) place.append(element);
  });
  routes.ariaExpanded = 'false';
  const remove = button('Delete', () => askDelete(device, () => gone(device)), 'danger');
  remove.ariaLabel = `Delete ${nameOf(device)}`;
  const badges = [device.isExternal && 'external', device.authorized === false && 'not authorized', device.updateAvailable && 'update available'];
  const row = h(
    'tr',
    { dataset: { device: device.id } },
    h('th', { scope: 'row' }, nameOf(device), ...badges.map((badge) => badge && h('small', { className: 'badge' }, badge))),
    h('td', {}, ...(device.tags?.length ? device.tags.map((tag) => h('code', { className: 'badge' }, tag)) : [device.user ?? ''])),
    h('td', {}, h('code', { title: (device.addresses ?? []).join('\n') }, device.addresses?.[0] ?? '')),
    h('td', {}, device.os ?? ''),
    h('td', {}, seen(device)),
    h('td', {}, expiry(device)),
    h('td', {}, routes),
    h('td', {}, remove),
  );
  return [row, more];
}

function askDelete(device: Device, done: () => void): void {
  const dialog = h('dialog', { ariaLabel: `Delete ${nameOf(device)}` });
  const close = button(device.isExternal ? 'Close' : 'Keep it', () => dialog.close());
  const erase = async (): Promise<void> => {
    await (await client()).devices.delete(device.id);
    dialog.close();
    done();
  };
  const sure = button('Delete', () => void erase().catch((error: unknown) => dialog.append(problem(error))), 'danger');
  const why = `It belongs to ${device.user ?? 'another network'} and is only shared with ${connected().tailnet}: the service deletes a device for its own network alone.`;
  dialog.append(
    h('h2', {}, device.isExternal ? `${nameOf(device)} cannot be deleted here` : `Delete ${nameOf(device)}?`),
    h('p', {}, device.isExternal ? why : 'It leaves the network at once, and must sign in again to come back.'),
    h('div', { className: 'toolbar' }, close, !device.isExternal && sure),
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
