// What the site has beyond what TypeDoc does: entries by the name that is imported, and methods found by the path that is written, as `devices.list`.
// Must not live here: what the site says, how it looks (`typedoc.json`).

import { Converter, IndexEvent, ReflectionKind } from 'typedoc'

/** How much a find by path weighs; one in a name weighs 10. */
const WEIGHT = 20

export function load({ converter, renderer }) {
  converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module))
      module.name = module.name === 'index' ? 'tailnet-kit' : `tailnet-kit/${module.name}`
  })
  renderer.on(IndexEvent.PREPARE_INDEX, (event) => {
    const found = paths(event.searchResults[0]?.project)
    event.searchFieldWeights.path = WEIGHT
    event.searchResults.forEach(({ name, parent }, at) => {
      event.searchFields[at].path = found.has(parent) ? `${found.get(parent)}${name}` : ''
    })
  })
}

/** Each interface of functions, with the path before the names of its members. */
function paths(project) {
  const found = new Map()
  const walk = (reflection, path) => {
    found.set(reflection, path)
    for (const { name, type } of reflection.children ?? []) {
      const inner = type?.type === 'reference' ? type.reflection : undefined
      if (inner?.kindOf?.(ReflectionKind.Interface) && /^Client[A-Z]|Functions$/.test(inner.name) && !found.has(inner)) walk(inner, `${path}${name}.`)
    }
  }
  for (const { name, type } of project?.getReflectionsByKind(ReflectionKind.Variable) ?? [])
    if (type?.type === 'reference' && type.reflection && /Functions$/.test(type.reflection.name)) walk(type.reflection, `${name}.`)
  const client = project?.getReflectionsByKind(ReflectionKind.Class).find(({ name }) => name === 'TailnetClient')
  if (client) walk(client, '')
  return found
}
