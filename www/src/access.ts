// The picture of who reaches what: sources against destinations, ports in the cells.
// Must not live here: how access is decided.
import type { AccessCell as Cell, AccessMatrix } from 'tailnet-kit/slim';
import { askable } from './answers.js';
import { card, h, whenNew } from './dom.js';
import { kept } from './storage.js';
import type { Card, Workbench } from './workbench.js';

/** More rows or columns than this no screen shows; the rest is found by its name. A cell has room for a few lines. */
const [MOST, MOST_PORTS] = [40, 3];

const steps: Record<string, [number, number]> =
  { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** Draws the picture, tells the rules of the cell pointed at, and marks them when it is clicked. */
export function matrix({ editor, subject }: Workbench): Card {
  const [picture, told] = [h('div.scroll'), h('div.told')];
  let { sources, destinations, cells }: Pick<AccessMatrix, 'sources' | 'destinations' | 'cells'> = { sources: [], destinations: [], cells: [] };

  const pair = (cell: Cell) => `${sources[cell.source]} reaches ${destinations[cell.destination]} at `;
  const tell = (cell: Cell, at: HTMLTableCellElement) => {
    for (const name of picture.querySelectorAll('th')) {
      name.classList.toggle('lit', name.parentElement === at.parentElement || name.cellIndex === at.cellIndex);
    }
    const rules = cell.because.map(({ line }) => h('li', h('span.line', line), h('code', editor.rule(line))));
    told.replaceChildren(h('p', pair(cell), cell.ports.join(', ').replace('*', 'every port')), h('ol', ...rules));
  };
  const mark = ({ because }: Cell) => {
    editor.mark(because.map(({ line }) => line));
    if (because[0]) editor.goTo(because[0].line);
  };
  const choose = (name: string) => {
    subject.value = name;
    subject.dispatchEvent(new Event('input'));
  };
  const head = (scope: string, name = '') =>
    h('th', { scope }, askable(name) ? h('button', { onclick: () => choose(name) }, name) : h('span', name));
  const drawn = (cell?: Cell) => {
    if (!cell) return h('td');
    const [all, more] = [cell.ports.includes('*'), cell.ports.length - MOST_PORTS];
    const ports = all ? ['all'] : more > 0 ? [...cell.ports.slice(0, MOST_PORTS), `+${more}`] : cell.ports;
    const open = h('button', h('span.hidden', pair(cell)), ...ports.map((port) => h('span', port)));
    const place = h(`td.${all ? 'all' : 'some'}`, open);
    open.onclick = () => mark(cell);
    open.onfocus = open.onpointerenter = () => tell(cell, place);
    return place;
  };
  const draw = () => {
    const like = filter.value.trim();
    const found = cells.filter((cell) => `${sources[cell.source]}\n${destinations[cell.destination]}`.includes(like));
    const at = new Map(found.map((cell) => [`${cell.source} ${cell.destination}`, cell]));
    const [rows, columns] = [places(found, 'source'), places(found, 'destination')];
    const [top, left] = [columns.slice(0, MOST), rows.slice(0, MOST)];
    const rowOf = (row: number) =>
      h('tr', head('row', sources[row]), ...top.map((column) => drawn(at.get(`${row} ${column}`))));
    const count = `${left.length} of ${rows.length} sources, ${top.length} of ${columns.length} destinations`;
    const heads = h('tr', h('td'), ...top.map((column) => head('col', destinations[column])));
    const table = h('table.matrix', h('caption.quiet', count), h('thead', heads), h('tbody', ...left.map(rowOf)));
    picture.replaceChildren(found.length ? table : h('p.quiet', like ? 'No name matches.' : 'Nobody reaches anything.'));
    const hint = 'Point at a cell, or go there by arrow keys, for its rules; click marks them.';
    told.replaceChildren(h('p.quiet', found.length ? hint : ''));
    oneStop(picture);
  };
  const field = h('input', { placeholder: 'filter names', ariaLabel: 'Filter the picture by a name' });
  const filter = kept('filter', field, draw);
  picture.onkeydown = walk;
  picture.addEventListener('focusin', ({ target }) => oneStop(picture, target as HTMLElement));
  const show = whenNew((access: AccessMatrix) => {
    ({ sources, destinations, cells } = access);
    draw();
  });
  const update = (_: string, access: AccessMatrix) => {
    show(access);
    const chosen = subject.value.trim();
    for (const name of picture.querySelectorAll('th')) name.classList.toggle('chosen', name.textContent === chosen);
  };
  return { update, view: card('Who reaches what', filter, picture, told) };
}

const places = (cells: Cell[], side: 'source' | 'destination') =>
  [...new Set(cells.map((cell) => cell[side]))].sort((a, b) => a - b);

/** The Tab key stops once in the picture, at its first cell or where it was left; arrow keys go on from there. */
function oneStop(picture: HTMLElement, stop = picture.querySelector<HTMLElement>('td button')): void {
  for (const other of picture.querySelectorAll('button')) other.tabIndex = other === stop ? 0 : -1;
}

function walk(event: KeyboardEvent): void {
  const step = steps[event.key];
  let cell = (event.target as HTMLElement).closest<HTMLTableCellElement>('td, th') ?? undefined;
  const rows = cell?.closest('table')?.rows;
  if (!step || !rows) return;
  event.preventDefault();
  do {
    const { rowIndex } = cell?.parentElement as HTMLTableRowElement;
    cell = rows[rowIndex + step[0]]?.cells[(cell?.cellIndex ?? 0) + step[1]];
  } while (cell && !cell.querySelector('button'));
  cell?.querySelector('button')?.focus();
}
