// The routes of one device: what is active, pending, enabled only; live checks of new ones. Must not live here: what a prefix is.
import { type Device, type Routes, cidr, routes } from 'tailnet-kit/slim';
import { button, field, h, problem } from './dom.js';
import { client } from './service.js';
import { keep, kept, recall } from './storage.js';

/** An editor for the routes of a device, and its state in a few words. */
export function routesEditor(device: Device, changed: () => void): { element: HTMLElement; summary(): string } {
  const stored: Routes = { advertisedRoutes: device.advertisedRoutes ?? [], enabledRoutes: device.enabledRoutes ?? [] };
  const draft = `routes.${device.id}`;
  let enabled = recall<string[]>(draft) ?? stored.enabledRoutes;
  const list = h('ul', { className: 'routes' });
  const notes = h('p', { className: 'quiet' });
  const said = h('div', { ariaLive: 'polite' });
  const checked = h('div', { ariaLive: 'polite' });
  const input = kept(`route.${device.id}`, h('input', { placeholder: '10.20.0.0/16', spellcheck: false, autocomplete: 'off' }));

  const turn = (route: string, on: boolean): void => {
    enabled = on ? [...enabled, route] : enabled.filter((other) => other !== route);
    keep(draft, enabled);
    draw();
  };
  const line = (route: string, state: string): HTMLElement => {
    const box = h('input', { type: 'checkbox', checked: enabled.includes(route), onchange: () => turn(route, box.checked) });
    return h('li', {}, h('label', {}, box, h('code', {}, route), h('small', { className: `badge ${state}` }, state)));
  };
  const draw = (): void => {
    const { active, pending, enabledOnly, exitNode, overlaps } = routes.summarize({ ...stored, enabledRoutes: enabled });
    const all = [...active.map((r) => line(r, 'active')), ...pending.map((r) => line(r, 'pending')), ...enabledOnly.map((r) => line(r, 'enabled only'))];
    list.replaceChildren(...(all.length ? all : [h('li', { className: 'quiet' }, 'It advertises no route, and none is enabled.')]));
    const exit = exitNode === 'no' ? [] : [exitNode === 'yes' ? 'It is an exit node.' : 'It is half an exit node: enable both 0.0.0.0/0 and ::/0.'];
    notes.textContent = [...exit, ...overlaps.map(([a, b]) => `${a} and ${b} overlap.`)].join(' ');
    save.disabled = cidr.sameSet(enabled, stored.enabledRoutes);
  };
  const check = (): void => {
    const text = input.value.trim();
    const result = text ? cidr.check(text) : undefined;
    add.disabled = !result?.ok || enabled.includes(text);
    const suggestion = result && !result.ok ? result.suggestion : undefined;
    const take = (): void => {
      input.value = suggestion ?? '';
      input.dispatchEvent(new Event('input'));
      input.focus();
    };
    const words = result && !result.ok && h('p', { className: 'problem' }, result.message, suggestion && button(`Use ${suggestion}`, take, 'link'));
    checked.replaceChildren(...(words ? [words] : []));
  };
  const add = button('Add', () => {
    turn(input.value.trim(), true);
    input.value = '';
    input.dispatchEvent(new Event('input'));
  });
  const send = async (): Promise<void> => {
    const answer = await (await client()).devices.routes.set(device.id, enabled);
    Object.assign(stored, answer);
    Object.assign(device, answer);
    enabled = answer.enabledRoutes;
    keep(draft, undefined);
    said.replaceChildren(h('p', { className: 'verdict good' }, 'Saved.'));
    changed();
    draw();
  };
  const save = button('Save routes', () => void send().catch((error: unknown) => said.replaceChildren(problem(error))), 'primary');

  input.addEventListener('input', check);
  input.addEventListener('keydown', (event) => event.key === 'Enter' && !add.disabled && add.click());
  draw();
  check();
  return {
    element: h('div', { className: 'routing' }, list, notes, h('div', { className: 'toolbar' }, field('Enable another prefix', input), add, save), checked, said),
    summary() {
      const { active, pending, exitNode } = routes.summarize(stored);
      const parts = [exitNode === 'yes' ? 'exit node' : active.length && `${active.length} active`, pending.length && `${pending.length} pending`];
      return parts.filter(Boolean).join(', ') || 'none';
    },
  };
}
