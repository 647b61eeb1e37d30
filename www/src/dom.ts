// Making elements. Must not live here: anything that knows what is shown.

type Child = Node | string | null | undefined | false;

/** An element with properties set and children appended; absent children are left out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<Omit<HTMLElementTagNameMap[K], 'dataset'>> & { dataset?: Record<string, string> } = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const { dataset, ...rest } = properties;
  const element = Object.assign(document.createElement(tag), rest);
  Object.assign(element.dataset, dataset);
  element.append(...children.filter((child): child is Node | string => Boolean(child)));
  return element;
}

/** The element with this id, which the page is known to hold. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element "${id}"`);
  return element;
}
