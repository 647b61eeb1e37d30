// Brings the dialect of Headscale. Must not live here: what is done with it.

import { bring } from '../../common/dialects.js'
import { source } from './dialect.wasm.js'

/** A verb with the dialect: who uses the verb has it too, so that a bundler keeps it for those alone. `verb` gives it, as webpack keeps what a call is passed. */
export function knowing(verb) {
  bring(source)
  return verb?.()
}
