// The routes of one device: what is active, pending, enabled only; live checks of new ones. Must not live here: what a prefix is.
import { type Device, cidr, routes } from 'tailnet-kit/slim';
import { attempt, button, copy, h, list, prose } from './dom.js';
import { client } from './service.js';
import { keep, kept, recall, typed } from './storage.js';

const routesOf = ({ advertisedRoutes = [], enabledRoutes = [] }: Device) => ({ advertisedRoutes, enabledRoutes });

/** The routes of a device in a few words. */
export function summary(device: Device): string {
  const { active, pending, exitNode } = routes.summarize(routesOf(device));
  const parts = [exitNode === 'yes' ? 'exit node' : active.length && `${active.length} active`, pending.length && `${pending.length} pending`];
  return parts.filter(Boolean).join(', ') || 'none';
}

/** An editor for the routes of a device; `changed` is called when others were saved. */
export function routesEditor(device: Device, changed: () => void): HTMLElement {
  const parts = copy<'element' | 'list' | 'notes' | 'input' | 'add' | 'save' | 'checked' | 'said'>('routes');
  const { element, add, save, checked } = parts;
  const input = kept(`route.${device.id}`, parts.input);
  const draft = typed(`routes.${device.id}`);
  let enabled = recall<string[]>(draft) ?? routesOf(device).enabledRoutes;

  const turn = (route: string, on: boolean): void => {
    enabled = on ? [...enabled, route] : enabled.filter((other) => other !== route);
    keep(draft, enabled);
    draw();
  };
  const put = (text: string): void => {
    input.value = text;
    input.dispatchEvent(new Event('input'));
    input.focus();
  };
  const line = (route: string, state: string): HTMLElement => {
    const box = h('input', { type: 'checkbox', checked: enabled.includes(route), onchange: () => turn(route, box.checked) });
    return h('li', '', h('label', 'choice', box, h('code', '', route), h('small', `badge ${state}`, state)));
  };
  const draw = (): void => {
    const { active, pending, enabledOnly, exitNode, overlaps } = routes.summarize({ ...routesOf(device), enabledRoutes: enabled });
    const states = Object.entries({ active, pending, 'enabled only': enabledOnly });
    list(parts.list, states.flatMap(([state, all]) => all.map((route) => line(route, state))), 'It advertises no route, and none is enabled.');
    const exit = { no: '', half: 'It is half an exit node: enable both 0.0.0.0/0 and ::/0.', yes: 'It is an exit node.' }[exitNode];
    parts.notes.textContent = [exit, ...overlaps.map(([a, b]) => `${a} and ${b} overlap.`)].join(' ');
    save.disabled = cidr.sameSet(enabled, routesOf(device).enabledRoutes);
  };
  const check = (): void => {
    const text = input.value.trim();
    const result = text ? cidr.check(text) : undefined;
    add.disabled = !result?.ok || enabled.includes(text);
    checked.replaceChildren();
    if (!result || result.ok) return;
    const { message, suggestion } = result;
    checked.append(h('p', 'problem', ...prose(message), suggestion && button(`Use ${suggestion}`, () => put(suggestion), 'link')));
  };
  save.onclick = () =>
    void attempt(parts.said, async () => {
      Object.assign(device, await (await client()).devices.routes.set(device.id, enabled));
      enabled = routesOf(device).enabledRoutes;
      keep(draft, undefined);
      changed();
      draw();
      return 'Saved.';
    });
  add.onclick = () => {
    turn(input.value.trim(), true);
    put('');
  };
  input.addEventListener('input', check);
  input.addEventListener('keydown', ({ key }) => key === 'Enter' && add.click());
  draw();
  check();
  return element;
}
