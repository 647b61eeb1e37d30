// The picture of who reaches what: sources against destinations, ports in the cells. Must not live here: how access is decided.
import type { AccessMatrix } from 'tailnet-kit/slim';
import { askable } from './answers.js';
import { button, h, whenNew } from './dom.js';
import type { Update, Workbench } from './policy.js';
import { kept } from './storage.js';

type Cell = AccessMatrix['cells'][number];

/** More than this no screen shows; the rest is found by its name. */
const MOST_SOURCES = 40;
const MOST_DESTINATIONS = 30;
/** A cell has room for this many lines. */
const MOST_PORTS = 3;

const steps: Record<string, [number, number]> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** Draws the picture, tells the rules of the cell pointed at, and marks them when it is clicked. */
export function matrix(bench: Workbench): Update {
  const { editor, picture, told, subject } = bench;
  const filter = kept('filter', bench.filter);
  let access: AccessMatrix = { sources: [], destinations: [], cells: [] };

  const pair = ({ source, destination }: Cell): string => `${access.sources[source]} reaches ${access.destinations[destination]} at `;
  const tell = (cell: Cell, at: HTMLTableCellElement): void => {
    for (const head of picture.querySelectorAll('.lit')) head.classList.remove('lit');
    for (const head of [at.parentElement?.firstElementChild, at.closest('table')?.rows[0]?.cells[at.cellIndex]]) head?.classList.add('lit');
    const rules = cell.because.map(({ line }) => h('li', '', h('span', 'line', line), h('code', '', editor.rule(line))));
    told.replaceChildren(h('p', '', pair(cell), cell.ports.join(', ').replace('*', 'every port')), h('ol', '', ...rules));
  };
  const mark = ({ because }: Cell): void => {
    editor.mark(because.map(({ line }) => line));
    if (because[0]) editor.goTo(because[0].line);
  };
  const choose = (name: string): void => {
    subject.value = name;
    subject.dispatchEvent(new Event('input'));
  };
  const head = (scope: 'row' | 'col', name = ''): HTMLElement =>
    h('th', { scope }, askable(name) ? button(name, () => choose(name)) : h('span', '', name));
  const drawn = (cell: Cell | undefined): HTMLElement => {
    if (!cell) return h('td');
    const { ports } = cell;
    const lines = ports.length > MOST_PORTS ? [...ports.slice(0, MOST_PORTS - 1), `+${ports.length - MOST_PORTS + 1}`] : ports;
    const open = button('', () => mark(cell));
    open.append(h('span', 'hidden', pair(cell)), ...lines.map((port) => h('span', '', port === '*' ? 'all' : port)));
    const place = h('td', ports.includes('*') ? 'all' : 'some', open);
    open.onfocus = open.onpointerenter = () => tell(cell, place);
    return place;
  };

  const draw = (): void => {
    const { sources, destinations, cells: all } = access;
    const like = filter.value.trim();
    const cells = all.filter(({ source, destination }) => `${sources[source]}\n${destinations[destination]}`.includes(like));
    const [rows, columns] = [places(cells, 'source'), places(cells, 'destination')];
    const [shownRows, shownColumns] = [rows.slice(0, MOST_SOURCES), columns.slice(0, MOST_DESTINATIONS)];
    const at = new Map(cells.map((cell) => [`${cell.source} ${cell.destination}`, cell]));
    const heads = h('tr', '', h('td'), ...shownColumns.map((column) => head('col', destinations[column])));
    const body = shownRows.map((row) => h('tr', '', head('row', sources[row]), ...shownColumns.map((column) => drawn(at.get(`${row} ${column}`)))));
    const cut = rows.length > MOST_SOURCES || columns.length > MOST_DESTINATIONS;
    const count = `${shownRows.length} of ${rows.length} sources, ${shownColumns.length} of ${columns.length} destinations`;
    const caption = h('caption', cut ? 'quiet' : 'hidden', cut ? `${count}: filter for the others` : count);
    const table = h('table', 'matrix', caption, h('thead', '', heads), h('tbody', '', ...body));
    picture.replaceChildren(cells.length ? table : h('p', 'quiet', all.length ? 'No name is like that.' : 'Nobody reaches anything.'));
    told.replaceChildren(h('p', 'quiet', 'Point at a cell, or walk there with the arrow keys, to see its rules; click to mark them.'));
    filter.hidden = sources.length < 12 && destinations.length < 12;
    oneStop(picture);
  };
  filter.addEventListener('input', draw);
  picture.addEventListener('keydown', walk);
  picture.addEventListener('focusin', ({ target }) => oneStop(picture, target as HTMLElement));
  const show = whenNew((found: AccessMatrix) => {
    access = found;
    draw();
  });
  return (_, found) => {
    show(found);
    for (const head of picture.querySelectorAll('th')) head.classList.toggle('chosen', head.textContent === subject.value.trim());
  };
}

const places = (cells: Cell[], side: 'source' | 'destination'): number[] => [...new Set(cells.map((cell) => cell[side]))].sort((a, b) => a - b);

/** The Tab key stops once in the picture, at its first cell or where it was left; arrow keys go on from there. */
function oneStop(picture: HTMLElement, stop = picture.querySelector<HTMLElement>('td button')): void {
  for (const other of picture.querySelectorAll('button')) other.tabIndex = other === stop ? 0 : -1;
}

function walk(event: KeyboardEvent): void {
  const step = steps[event.key];
  const cell = (event.target as HTMLElement).closest<HTMLTableCellElement>('td, th');
  const rows = cell?.closest('table')?.rows;
  if (!step || !cell || !rows) return;
  event.preventDefault();
  let [row, column] = [(cell.parentElement as HTMLTableRowElement).rowIndex, cell.cellIndex];
  for (let next: HTMLElement | undefined = cell; next; next = rows[row]?.cells[column]) {
    const found = next !== cell && next.querySelector('button');
    if (found) return found.focus();
    [row, column] = [row + step[0], column + step[1]];
  }
}
