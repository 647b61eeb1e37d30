// Making elements, and the pieces that every view shows alike. Must not live here: anything that knows what is shown.
import { isTailnetError } from 'tailnet-kit/slim';

type Child = Node | string | number | null | undefined | false;
type Properties<E> = Partial<Omit<E, 'dataset' | 'style'>> & { dataset?: Record<string, string>; style?: string; attributes?: never };

/** An element with properties set and children appended; absent children are left out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties<HTMLElementTagNameMap[K]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const { dataset, ...rest } = properties;
  const element = Object.assign(document.createElement(tag), rest);
  Object.assign(element.dataset, dataset);
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false).map(asNode));
  return element;
}

const asNode = (child: Child): Node | string => (child instanceof Node ? child : String(child));

/** A button that does something on this page. */
export const button = (label: string, onclick: () => void, className = ''): HTMLButtonElement =>
  h('button', { type: 'button', className, onclick }, label);

/** A field with its label above it. */
export const field = (label: string, input: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement): HTMLLabelElement =>
  h('label', { className: 'field' }, h('span', {}, label), input);

/** A titled part of a view. */
export const card = (title: string, ...children: Child[]): HTMLElement =>
  h('section', { className: 'card', ariaLabel: title }, h('h2', {}, title), ...children);

/** A failure, shown where its answer would have stood, in the words in which it came. */
export function problem(error: unknown, again?: () => void): HTMLElement {
  const status = isTailnetError(error) && 'status' in error ? ` (${String(error.status)})` : '';
  const words = error instanceof Error ? error.message : String(error);
  return h('p', { className: 'problem', role: 'alert' }, words + status, again && button('Try again', again, 'link'));
}

/** The element with this id, which the page is known to hold. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element "${id}"`);
  return element;
}
