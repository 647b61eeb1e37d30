// The card of who reaches what: its filters, the picture, what is told of a cell, its files.
// Must not live here: how access is decided; how equal rows are found; how the table is drawn.
import type { AccessChange, AccessMatrix } from 'tailnet-kit/slim';
import { type File, csv, json, svg } from './access.export.js';
import { type Party, type Picture, type Place, pictureOf } from './access.picture.js';
import { accessTable } from './access.table.js';
import { answerCard, askable, rule } from './answers.js';
import { type Child, download, h } from './dom.js';
import { ask, known as context } from './kit.js';
import { kept } from './storage.js';
import type { Card, Workbench } from './workbench.js';

/** Ports by the names that people have for them. */
const NAMES: Record<string, string> = {
  20: 'ftp-data', 21: 'ftp', 22: 'ssh', 25: 'smtp', 53: 'dns', 80: 'http', 123: 'ntp', 143: 'imap', 389: 'ldap', 443: 'https', 445: 'smb', 587: 'submission', 631: 'ipp', 636: 'ldaps', 993: 'imaps', 1433: 'mssql', 3306: 'mysql', 3389: 'rdp', 5432: 'postgres', 5900: 'vnc', 6379: 'redis', 6443: 'kubernetes', 8080: 'http-alt', 9090: 'prometheus', 9100: 'jetdirect', 9200: 'elastic', 27017: 'mongodb',
};

const checkbox = (label: string, box: HTMLInputElement) => h('label.choice', box, h('small', label));

/** Draws the picture, and tells in place the rules of what is pointed at or chosen. */
export function matrix(bench: Workbench): Card {
  const { subject } = bench;
  const told = h('div.told', { ariaLive: 'polite' });
  let last: [now: AccessMatrix, before: AccessMatrix, changes: AccessChange[]] | undefined;
  let picture: Picture | undefined;

  const again = () => draw();
  const filter = (name: string, label: string, placeholder: string) =>
    kept(`picture.${name}`, h('input', { placeholder, ariaLabel: label }), again);
  const [whom, what] = [filter('who', 'Show who has this in the name', 'who'), filter('what', 'Show what has this in the name', 'what')];
  const by = kept('picture.by', h('select', { ariaLabel: 'Rows and columns' }, h('option', { value: 'name' }, 'by name'), h('option', { value: 'device' }, 'by device')), bench.refresh);
  const [grouped, ports] = [h('input', { type: 'checkbox', checked: true, onchange: again }), h('input', { type: 'checkbox', onchange: again })];
  const port = (words: string) => (ports.checked ? words.replace(/\d+$/, (number) => NAMES[number] ?? number) : words);

  const only = (field: HTMLInputElement, words: string) => () => {
    for (const input of [whom, what]) {
      input.value = input === field ? words : '';
      input.dispatchEvent(new Event('input'));
    }
  };
  const choose = (name: string) => () => {
    subject.value = name;
    subject.dispatchEvent(new Event('input'));
  };
  const listed = (all: string[]) => all.map((each) => (each === '*' ? 'every port' : port(each))).join(', ');
  const names = ({ names }: Party) => (names.length > 12 ? `${names.slice(0, 12).join(', ')} and ${names.length - 12} more` : names.join(', '));
  const cell = (sources: Party, destinations: Party, place: Place, chosen: boolean) => {
    const { ports, gained, lost, wider, own, because, unknown } = place;
    const reaches = own ? 'reach each its own: ' : ` reaches ${names(destinations)} at `;
    const words: Child[] = ports.length ? [names(sources), reaches, listed(ports)] : [`${names(sources)} reaches ${names(destinations)} no more`];
    const more = [unknown && 'text and devices cannot tell', wider && `through ${wider}`, gained.length && `gained: ${listed(gained)}`, lost.length && `lost: ${listed(lost)}`];
    const rules = because.map((ref) => rule(bench, ref));
    told.replaceChildren(h('p', ...words), h('p.quiet', more.filter(Boolean).join('; ')), h('ol', ...rules));
    if (chosen) bench.reading.mark(because.map(({ line }) => line));
  };
  const party = (of: Party, side: 'source' | 'destination') => {
    const [name = '', ...others] = of.names;
    if (!others.length && askable(name)) choose(name)();
    const each = of.names.slice(0, 60).map((one) => h('li', askable(one) ? h('button.link', { onclick: choose(one) }, one) : one));
    const ways = h('div.toolbar', h('button', { onclick: only(whom, name) }, 'What it reaches'), h('button', { onclick: only(what, name) }, 'Who reaches it'));
    told.replaceChildren(h('p', others.length ? `These ${of.names.length} ${side === 'source' ? 'reach the same' : 'are reached alike'}:` : name), ...(others.length ? [h('ul.names', ...each)] : [ways]));
  };
  const table = accessTable({ cell, party, port });
  const draw = () => {
    if (!last) return;
    const wanted = { who: whom.value, what: what.value, grouped: grouped.checked };
    picture = pictureOf(...last, wanted);
    table.draw(picture, wanted.who || wanted.what ? 'No name matches.' : undefined);
    table.choose(subject.value.trim());
    const hint = 'Point at a cell, or go there by arrow keys, for its rules; choosing it marks them in the text.';
    told.replaceChildren(h('p.quiet', picture.rows.length ? hint : ''));
  };
  let drawn = '';
  const update: Card['update'] = async ({ text, access, before, changes }) => {
    const devices = by.value === 'device' && (context.devices?.length ?? 0) > 0;
    const stored = bench.draft.opened.text;
    const both = devices ? await Promise.all([ask('accessByDevice', text), ask('accessByDevice', stored)]) : ([access, before] as const);
    return () => {
      last = [...both, changes];
      // What stays the same is not drawn again, and keeps the focus.
      const same = JSON.stringify([by.value, both[0].cells, both[0].sources, both[0].destinations, both[1].cells, changes]);
      if (same !== drawn) draw();
      drawn = same;
      table.choose(subject.value.trim());
    };
  };
  const save = (file: (of: Picture) => File) => () => picture && download(file(picture));
  const files = h('div.toolbar', h('span.quiet', 'Save as'), h('button.link', { onclick: save((of) => svg(of, port)) }, 'SVG'), h('button.link', { onclick: save(csv) }, 'CSV'), h('button.link', { onclick: save(json) }, 'JSON'));
  const controls = h('div.toolbar filters', whom, what, by, checkbox('equal ones together', grouped), checkbox('names of ports', ports));
  const legend = h('p.legend', h('span.all', 'all ports'), h('span.some', 'some'), h('span.some wide', 'through a wider selector'), h('span.gained', '+ gained'), h('span.lost', '− lost'));
  return { update, view: answerCard('Who reaches what', 'access', '', controls, table.pages, table.place, legend, told, files) };
}
