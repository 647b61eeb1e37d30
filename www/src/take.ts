// How to have the same in a page or program of one's own: the lines that make each card, the repository, and how to install. Must not live here: the cards.
import { version } from 'tailnet-kit/slim'
import { h } from './dom.js'

const element = (name: string, module: string, properties: string) => `import 'tailnet-kit/elements/${module}'

const ${module} = document.createElement('tailnet-${name}')
Object.assign(${module}, { ${properties} })
document.body.append(${module})`

const CODE = {
  policy: element('policy', 'policy', 'base, value, context: { devices }'),
  changes: element('changes', 'changes', 'base, value, context: { devices }'),
  access: element('access', 'access', 'base, value, context: { devices }'),
  flow: element('flow', 'flow', "value, context: { devices }, from: 'bob@example.com', to: 'tag:db:5432'"),
  preview: element('preview', 'preview', "value, context: { devices }, subject: 'bob@example.com'"),
  tests: element('tests', 'tests', 'value, context: { devices }'),
}

/** Unfolds the lines that make a card. */
export const code = (card: keyof typeof CODE) => {
  const summary = h('summary', '</>')
  summary.title = summary.ariaLabel = 'The code of this card'
  return h('details.code', summary, h('pre', { tabIndex: 0 }, CODE[card]))
}

/** Where the package is. Until its repository has an address nothing is released, and the packed file of a clone is what can be installed. */
export const where = () =>
  __REPOSITORY__
    ? [h('a', { href: __REPOSITORY__ }, 'Repository'), h('code', 'npm i tailnet-kit'), h('code', 'cargo add tailnet-kit')]
    : [h('code', `npm i tailnet-kit-${version}.tgz`)]
