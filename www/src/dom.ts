// Making elements, and the pieces that every view shows alike. Must not live here: anything that knows what is shown.
import { isTailnetError } from 'tailnet-kit/slim';

type Tags = HTMLElementTagNameMap;
export type Child = Node | string | number | null | undefined | false;
/** A part of a template: what it is, index.html says. */
export type Part = HTMLElement & Pick<HTMLInputElement & HTMLDialogElement, 'value' | 'checked' | 'disabled' | 'showModal' | 'close'>;

/** An element with a class or with properties, and children appended; absent children are left out. */
export function h<K extends keyof Tags>(tag: K, properties: string | Partial<Tags[K]> = '', ...children: Child[]): Tags[K] {
  const given = typeof properties === 'string' ? { className: properties } : properties;
  const element = Object.assign(document.createElement(tag), given);
  element.append(...children.filter((child) => child || child === 0).map((child) => (child instanceof Node ? child : String(child))));
  return element;
}

/** The element with this id. */
export const the = (id: string): Part => document.getElementById(id) as Part;

/** A fresh copy of a template of index.html: `all` of it, and each part by its `data-part`. */
export function copy<Name extends string>(id: string): Record<Name, Part> & { all: Node } {
  const all = document.importNode((the(id) as Node as HTMLTemplateElement).content, true);
  const parts = [...all.querySelectorAll<Part>('[data-part]')].map((part) => [part.dataset.part, part]);
  return { all, ...Object.fromEntries(parts) };
}

/** A button that does something on this page. */
export const button = (label: string, onclick: () => void, className = ''): HTMLButtonElement =>
  h('button', { type: 'button', className, onclick }, label);

/** An entry of a list that leads to a line of the text. */
export const entry = (line: number | string, goTo: () => void, className: string, ...children: Child[]): HTMLElement =>
  h('li', '', h('button', { type: 'button', className: `row ${className}`, onclick: goTo }, h('span', 'line', line), ...children));

/** Fills a list, or says that there is nothing to show. */
export const list = (place: HTMLElement, entries: Node[], nothing: string): void =>
  place.replaceChildren(...(entries.length ? entries : [h('li', 'quiet', nothing)]));

/** Words with code between backticks. */
export const prose = (words: string): Child[] => words.split('`').map((part, index) => (index % 2 ? h('code', '', part) : part));

/** A failure, shown where its answer would have stood, in the words in which it came. */
export function problem(error: unknown, again?: () => void): HTMLElement {
  const status = isTailnetError(error) && 'status' in error ? ` (${String(error.status)})` : '';
  const words = error instanceof Error ? error.message : String(error);
  return h('p', { className: 'problem', role: 'alert' }, ...prose(words + status), again && button('Try again', again, 'link'));
}

/** Does what was asked for, and says in `place` how it ended: in the words that come back, or why it failed. */
export async function attempt(place: HTMLElement, work: () => Promise<string | void>): Promise<void> {
  place.replaceChildren();
  const said = await work().then((words) => words && h('p', 'verdict good', words), problem);
  if (said) place.replaceChildren(said);
}

/** Fills a view with what a service answers. */
export async function fill(view: HTMLElement, words: string, work: () => Promise<Node[]>): Promise<void> {
  view.replaceChildren(h('p', 'quiet', words));
  const failed = (error: unknown): Node[] => [problem(error, () => void fill(view, words, work))];
  view.replaceChildren(...(await work().catch(failed)));
}

/** Hands an answer on only when it is unlike the last one: what stays the same is not drawn again, and keeps the focus. */
export function whenNew<T>(show: (answer: T) => void): (answer: T) => void {
  let last: string | undefined;
  return (answer) => {
    const text = JSON.stringify(answer);
    if (text !== last) show(answer);
    last = text;
  };
}
