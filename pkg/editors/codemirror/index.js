// The entry `tailnet-kit/codemirror`: one extension of CodeMirror 6. Must not live here: what each part of it does.

import { asker, checkOptions } from '../asker.js'
import { commands, renaming } from './commands.js'
import { fold } from './fold.js'
import { highlight } from './highlight.js'
import { hover } from './hover.js'
import { inlay } from './inlay.js'
import { language } from './language.js'
import { later } from './later.js'
import { lint } from './lint.js'

/** Completion comes later: it is the largest part, and shows nothing before somebody writes. */
const completion = (ask) =>
  later(async () => {
    const { complete, startCompletion } = await import('./complete.js')
    return { extension: complete(ask), missed: startCompletion }
  })

const PARTS = { highlight, completion, hover, lint, rename: renaming, folding: fold, inlay }

export { formatPolicy } from './commands.js'

export function tailnetPolicy(options = {}) {
  checkOptions(options)
  const ask = asker(options)
  const parts = Object.entries(PARTS)
    .filter(([name]) => options[name] !== false)
    .map(([, part]) => part(ask, options.onDiagnostics))
  return [language, commands(ask, options.format), parts]
}
