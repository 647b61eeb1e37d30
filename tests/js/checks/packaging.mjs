// The table of docs/packaging.md, row by row: each importer of an entry gets the file that the row names. Must not live here: the table.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HERE, project } from '../lib/project.mjs'

const ENTRIES = ['index', 'cidr', 'hujson', 'policy', 'client', 'gateway', 'language', 'headscale', 'sandbox']

export default async ({ tarball }) => {
  const pkg = join(await project(tarball), 'node_modules/tailnet-kit')
  const { exports } = JSON.parse(readFileSync(join(pkg, 'package.json'), 'utf8'))
  const rows = [...readFileSync(join(HERE, '../../docs/packaging.md'), 'utf8').matchAll(/^\| [^|]+ \| (`[^|]+`) \| `([^|]+)` \|/gm)]
  const faults = rows.flatMap(([, conditions, file]) => {
    const held = conditions.split(', ').map((condition) => condition.replaceAll('`', ''))
    return ENTRIES.flatMap((entry) => {
      const wanted = `./${file.replace('ENTRY', entry)}`
      const got = resolve(exports[entry === 'index' ? '.' : `./${entry}`], held)
      if (got !== wanted) return `${held}: ${entry} is ${got}, not ${wanted}`
      return existsSync(join(pkg, wanted)) ? [] : `${wanted} is not there`
    })
  })
  if (rows.length === 0) faults.push('the table has no row')
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return `${rows.length} rows, ${ENTRIES.length} entries each`
}

/** Resolves as tools do: by the first condition that holds and leads to a file. */
function resolve(target, held) {
  if (typeof target === 'string') return target
  for (const [condition, next] of Object.entries(target)) {
    const found = condition === 'default' || held.includes(condition) ? resolve(next, held) : undefined
    if (found) return found
  }
}
