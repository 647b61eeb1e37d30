// The smallest apps that use one part of the package each, and a search for the wasm files in a program. Must not live here:
// bundlers, what is asserted.

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The apps, named by the part that they use. */
export const APPS = {
  nothing: "import { cidr, hujson, policy, TailnetClient } from 'tailnet-kit'\nconsole.log('nothing of it')\n",
  error: "import { isTailnetError } from 'tailnet-kit'\nconsole.log(isTailnetError(globalThis.thrown))\n",
  cidr: "import { cidr } from 'tailnet-kit'\nconsole.log(cidr.check(location.hash))\n",
  hujson: "import { hujson } from 'tailnet-kit'\nconsole.log(hujson.parse(location.hash))\n",
  edit: "import { policy } from 'tailnet-kit'\nconsole.log(policy.edit.addRule(location.hash, {}))\n",
  review: "import { policy } from 'tailnet-kit/policy'\nconsole.log(policy.review(location.hash, '{}'))\n",
  policy: "import { policy } from 'tailnet-kit/policy'\nconsole.log(policy.check(location.hash))\n",
  dialect: "import 'tailnet-kit/headscale'\nimport { policy } from 'tailnet-kit/policy'\nconsole.log(policy.check(location.hash, { dialect: 'headscale' }))\n",
  both: "import { policy } from 'tailnet-kit'\nconsole.log(policy.check(location.hash, { dialect: 'headscale' }))\n",
  client: "import { TailnetClient } from 'tailnet-kit'\nnew TailnetClient({ baseURL: '/api', apiKey: null }).devices.list().then(console.log)\n",
  headscale: "import { HeadscaleClient } from 'tailnet-kit/headscale'\nnew HeadscaleClient({ baseURL: '/api', apiKey: null }).nodes.list().then(console.log)\n",
  gateway: "import { createGateway } from 'tailnet-kit/gateway'\nexport default { fetch: createGateway(globalThis.options) }\n",
  changes: "import 'tailnet-kit/elements/changes'\n",
  elements: "import 'tailnet-kit/elements'\n",
  parts:
    "import * as kit from 'tailnet-kit'\nimport { createGateway } from 'tailnet-kit/gateway'\nconsole.log({ ...kit }, { ...kit.hujson }, { ...kit.policy }, createGateway)\n",
}

/** The project's files with these apps. */
export const appFiles = () => Object.fromEntries(Object.entries(APPS).map(([name, code]) => [`${name}.mjs`, code]))

/** A piece from the middle of the text that is in it only once, and in none of the others: beginnings, and what files share, are alike. */
export function pieceOf(text, others = []) {
  for (let from = text.length >> 1; ; from += 100) {
    const piece = text.slice(from, from + 100)
    if (piece.length < 100) throw new Error('the text has no piece that it holds once')
    if (text.split(piece).length === 2 && !others.some((other) => other.includes(piece))) return piece
  }
}

/** The wasm files that are in these programs as text, each as often as it is there. */
export function wasmIn(pkg, codes) {
  const files = readdirSync(join(pkg, 'wasm')).filter((file) => file.endsWith('.text.js') && file !== 'alphabet.text.js')
  const texts = files.map((file) => readFileSync(join(pkg, 'wasm', file), 'utf8'))
  return files.flatMap((file, index) => {
    const piece = pieceOf(
      texts[index],
      texts.filter((_, other) => other !== index),
    )
    const times = codes.reduce((sum, code) => sum + code.split(piece).length - 1, 0)
    return Array.from({ length: times }, () => file.replace('.text.js', ''))
  })
}
