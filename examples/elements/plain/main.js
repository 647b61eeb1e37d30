// The elements in a page without a build: any server of files will do. Must not live here: anything else.

import '/node_modules/tailnet-kit/elements/index.js'

const file = async (name) => (await fetch(`../${name}`)).text()
const [base, value, network] = await Promise.all(['before.hujson', 'after.hujson', 'network.json'].map(file))
const [changes, access, flow] = ['changes', 'access', 'flow'].map((name) => document.querySelector(`tailnet-${name}`))

const show = (value) => {
  for (const element of [changes, access, flow]) Object.assign(element, { base, value, context: JSON.parse(network) })
}
changes.addEventListener('cell', ({ detail }) => access.jump(detail))
flow.addEventListener('edit', ({ detail }) => show(detail.text))
show(value)
