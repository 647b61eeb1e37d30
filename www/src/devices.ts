// The table of devices. Must not live here: calls to the service.
import type { Device } from 'tailnet-kit';
import { h } from './dom.js';

const columns = ['Name', 'Owner', 'Addresses', 'System', 'Last seen'];

export function devicesTable(devices: Device[]): HTMLElement {
  return h(
    'div',
    { className: 'scroll', tabIndex: 0, role: 'region', ariaLabel: 'Devices table' },
    h(
      'table',
      {},
      h('thead', {}, h('tr', {}, ...columns.map((column) => h('th', { scope: 'col' }, column)))),
      h('tbody', {}, ...devices.map(row)),
    ),
  );
}

function row(device: Device): HTMLElement {
  const owner = device.tags?.length ? device.tags.join(' ') : (device.user ?? '');
  return h(
    'tr',
    { dataset: { device: device.id } },
    h('th', { scope: 'row' }, device.name ?? device.hostname ?? device.id, device.isExternal && h('small', {}, ' external')),
    h('td', {}, owner),
    h('td', {}, (device.addresses ?? []).join(' ')),
    h('td', {}, device.os ?? ''),
    h('td', {}, lastSeen(device)),
  );
}

function lastSeen({ lastSeen: seen }: Device): string {
  const time = seen ? new Date(seen) : null;
  return time && !Number.isNaN(time.getTime()) ? time.toLocaleString() : '';
}
