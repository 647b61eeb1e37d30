// How to have the same in a page of one's own: the lines that make each card. Must not live here: the cards.
import { h } from './dom.js'

/** Lets each card of a view unfold the lines that make it; its element names the properties in `data-code`. */
export function withCode(view: ParentNode): void {
  for (const { localName, dataset, parentElement } of view.querySelectorAll<HTMLElement>('.card > [data-code]')) {
    const name = localName.replace('tailnet-', '')
    const lines = `import 'tailnet-kit/elements/${name}'

const ${name} = document.createElement('${localName}')
Object.assign(${name}, { ${dataset.code} })
document.body.append(${name})`
    const label = 'The code of this card'
    const code = h('details', { className: 'code' }, h('summary', { title: label, ariaLabel: label }, '</>'), h('pre', { tabIndex: 0 }, lines))
    parentElement?.querySelector('.title')?.append(code)
  }
}
