// The routes of one device: what is active, pending, enabled only; live checks of new ones.
// Must not live here: what a prefix is.
import { type Device, cidr, routes } from 'tailnet-kit/slim';
import { attempt, enable, field, h, list, live, prose } from './dom.js';
import { client } from './service.js';
import { keep, kept, recall, typed } from './storage.js';

const routesOf = ({ advertisedRoutes = [], enabledRoutes = [] }: Device) => ({ advertisedRoutes, enabledRoutes });

const exits = { no: '', half: 'It is half an exit node: enable both 0.0.0.0/0 and ::/0.', yes: 'It is an exit node.' };

/** The routes of a device in a few words. */
export function summary(device: Device): string {
  const { active, pending, exitNode } = routes.summarize(routesOf(device));
  const enabled = exitNode === 'yes' ? 'exit node' : active.length && `${active.length} active`;
  return [enabled, pending.length && `${pending.length} pending`].filter(Boolean).join(', ') || 'none';
}

/** What is wrong with a prefix, with the one that is likely meant one click away. */
function complaint(prefix: string, use: (suggestion: string) => void): HTMLElement | undefined {
  const result = cidr.check(prefix);
  if (result.ok) return undefined;
  const { message, suggestion } = result;
  const instead = suggestion && h('button.link', { onclick: () => use(suggestion) }, `Use ${suggestion}`);
  return h('p.problem', ...prose(message), instead);
}

/** An editor for the routes of a device; `changed` is called when others were saved. */
export function routesEditor(device: Device, changed: () => void): Node {
  const [lines, notes, checked, said] = [h('ul.routes'), h('p.quiet'), live(), live()];
  const draft = typed(`routes.${device.id}`);
  let enabled = recall<string[]>(draft) ?? routesOf(device).enabledRoutes;

  const turn = (route: string, on: boolean) => {
    enabled = enabled.filter((other) => other !== route).concat(on ? route : []);
    keep(draft, enabled);
    judge();
  };
  const judge = () => {
    const { exitNode, overlaps } = routes.summarize({ ...routesOf(device), enabledRoutes: enabled });
    notes.textContent = [exits[exitNode], ...overlaps.map(([a, b]) => `${a} and ${b} overlap.`)].join(' ');
    enable(save, !cidr.sameSet(enabled, routesOf(device).enabledRoutes));
    const text = input.value.trim();
    const wrong = text && complaint(text, put);
    enable(add, text !== '' && !wrong && !enabled.includes(text));
    checked.replaceChildren(wrong || '');
  };
  const line = (route: string, state: string) => {
    const box = h('input', { type: 'checkbox', checked: enabled.includes(route) });
    box.onchange = () => turn(route, box.checked);
    return h('li', h('label.choice', box, h('code', route), h(`small.badge ${state}`, state)));
  };
  /** The boxes tell what is wanted, their states what is so: a box that is turned stays where it is. */
  const draw = () => {
    const { advertisedRoutes, enabledRoutes } = routesOf(device);
    const added = enabled.filter((route) => !advertisedRoutes.includes(route) && !enabledRoutes.includes(route));
    const found = routes.summarize({ advertisedRoutes, enabledRoutes: [...enabledRoutes, ...added] });
    const states = { active: found.active, pending: found.pending, 'enabled only': found.enabledOnly };
    const boxes = Object.entries(states).flatMap(([state, all]) => all.map((route) => line(route, state)));
    list(lines, boxes, 'It advertises no route, and none is enabled.');
    judge();
  };
  const put = (text: string) => {
    input.value = text;
    input.dispatchEvent(new Event('input'));
    input.focus();
  };
  const store = async () => {
    const sent = enabled;
    Object.assign(device, await (await client()).devices.routes.set(device.id, sent));
    // What was turned meanwhile stays.
    if (enabled === sent) {
      enabled = routesOf(device).enabledRoutes;
      keep(draft, undefined);
    }
    changed();
    draw();
    return 'Saved.';
  };
  const append = () => {
    turn(input.value.trim(), true);
    draw();
    put('');
  };
  const onkeydown = ({ key }: KeyboardEvent) => key === 'Enter' && add.click();
  const input = kept(`route.${device.id}`, h('input', { placeholder: '10.20.0.0/16', onkeydown }), judge);
  const add = h('button', { onclick: append }, 'Add');
  const save = h('button.primary', { onclick: () => attempt(said, store) }, 'Save routes');
  const choice = h('div.toolbar', field('Enable another prefix', input), add, save);
  draw();
  return h('div.routing', lines, notes, choice, checked, said);
}
