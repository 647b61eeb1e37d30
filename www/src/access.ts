// The picture of who reaches what: sources against destinations, ports in the cells. Must not live here: how access is decided.
import type { AccessMatrix } from 'tailnet-kit/slim';
import { card, h } from './dom.js';
import { ask } from './kit.js';
import type { Card, Workbench } from './policy.js';
import { kept } from './storage.js';

type Cell = AccessMatrix['cells'][number];

/** More than this no screen shows; the rest is found by its name. */
const MOST_SOURCES = 40;
const MOST_DESTINATIONS = 30;

export function matrixCard({ editor }: Workbench): Card {
  const filter = kept('filter', h('input', { placeholder: 'filter names', ariaLabel: 'Filter the picture by a name', spellcheck: false }));
  const picture = h('div', { className: 'scroll', tabIndex: 0, role: 'region', ariaLabel: 'Picture' });
  const told = h('div', { className: 'told quiet' });
  let matrix: AccessMatrix = { sources: [], destinations: [], cells: [] };

  const tell = (cell?: Cell): void => {
    const rules = cell?.because.map(({ line }) => h('li', {}, h('span', { className: 'line' }, line), h('code', {}, editor.rule(line))));
    const hint = 'Point at a cell to see its rules; click to mark them in the text.';
    told.replaceChildren(cell ? h('p', {}, sentence(matrix, cell)) : hint, ...(rules ? [h('ol', {}, ...rules)] : []));
    for (const head of picture.querySelectorAll('th')) {
      head.classList.toggle('lit', head.dataset.row === String(cell?.source) || head.dataset.column === String(cell?.destination));
    }
  };
  const mark = ({ because: [first, ...more] }: Cell): void => {
    editor.mark([first, ...more].flatMap((rule) => rule?.line ?? []));
    if (first) editor.goTo(first.line);
  };
  const draw = (): void => {
    picture.replaceChildren(table(matrix, filter.value.trim(), tell, mark));
    filter.hidden = matrix.sources.length < 12 && matrix.destinations.length < 12;
    tell();
  };
  filter.addEventListener('input', draw);

  const element = card('Who reaches what', picture, told);
  element.querySelector('h2')?.append(filter);
  return {
    element,
    async update(text) {
      matrix = await ask('access', text);
      draw();
    },
  };
}

const sentence = ({ sources, destinations }: AccessMatrix, { source, destination, ports }: Cell): string =>
  `${sources[source]} reaches ${destinations[destination]} at ${ports.map((port) => (port === '*' ? 'every port' : port)).join(', ')}`;

function table(matrix: AccessMatrix, filter: string, tell: (cell?: Cell) => void, mark: (cell: Cell) => void): HTMLElement {
  const { sources, destinations } = matrix;
  const named = ({ source, destination }: Cell): boolean => `${sources[source]}\n${destinations[destination]}`.includes(filter);
  const cells = matrix.cells.filter(named);
  if (!cells.length) return h('p', { className: 'quiet' }, matrix.cells.length ? 'No name is like that.' : 'Nobody reaches anything.');
  const [rows, columns] = [places(cells, 'source'), places(cells, 'destination')];
  const [shownRows, shownColumns] = [rows.slice(0, MOST_SOURCES), columns.slice(0, MOST_DESTINATIONS)];
  const at = new Map(cells.map((cell) => [`${cell.source} ${cell.destination}`, cell]));

  const drawn = (cell: Cell | undefined): HTMLElement => {
    if (!cell) return h('td');
    const pair = h('span', { className: 'hidden' }, `${sources[cell.source]} reaches ${destinations[cell.destination]} at `);
    const open = h('button', { type: 'button', onclick: () => mark(cell) }, pair, ...portsOf(cell));
    for (const event of ['focus', 'pointerenter']) open.addEventListener(event, () => tell(cell));
    return h('td', { className: cell.ports.includes('*') ? 'all' : 'some' }, open);
  };
  const head = h('tr', {}, h('td'), ...shownColumns.map((column) => h('th', { scope: 'col', dataset: { column: `${column}` } }, h('span', {}, destinations[column]))));
  const body = shownRows.map((row) =>
    h('tr', {}, h('th', { scope: 'row', dataset: { row: `${row}` } }, sources[row]), ...shownColumns.map((column) => drawn(at.get(`${row} ${column}`)))),
  );
  const cut = rows.length > shownRows.length || columns.length > shownColumns.length;
  const caption = `${shownRows.length} of ${rows.length} sources, ${shownColumns.length} of ${columns.length} destinations${cut ? ': filter for the others' : ''}`;
  return h('table', { className: 'matrix' }, h('caption', { className: cut ? 'quiet' : 'hidden' }, caption), h('thead', {}, head), h('tbody', {}, ...body));
}

const places = (cells: Cell[], side: 'source' | 'destination'): number[] => [...new Set(cells.map((cell) => cell[side]))].sort((a, b) => a - b);

/** A cell has room for three lines. */
const portsOf = ({ ports }: Cell): HTMLElement[] => {
  const shown = ports.length > 3 ? [...ports.slice(0, 2), `+${ports.length - 2}`] : ports;
  return shown.map((port) => h('span', {}, port === '*' ? 'all' : port));
};
