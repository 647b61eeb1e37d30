// The entry `tailnet-kit/codemirror`: one extension of CodeMirror 6. Must not live here: what each part of it does.

import { asker, checkOptions } from '../asker.js'
import { commands, renaming } from './commands.js'
import { complete } from './complete.js'
import { fold } from './fold.js'
import { highlight } from './highlight.js'
import { hover } from './hover.js'
import { inlay } from './inlay.js'
import { language } from './language.js'
import { lint } from './lint.js'

const PARTS = { highlight, completion: complete, hover, lint, rename: renaming, folding: fold, inlay }

export function tailnetPolicy(options = {}) {
  checkOptions(options)
  const ask = asker(options)
  const parts = Object.entries(PARTS).filter(([name]) => options[name] !== false).map(([, part]) => part(ask, options.onDiagnostics))
  return [language, commands(ask), parts]
}
