// What is fetched when somebody first comes into the editor, so that no page waits for it to be drawn. Must not live here: what that is.

import { StateEffect } from '@codemirror/state'
import { ViewPlugin, logException } from '@codemirror/view'

/** `load()` gives the extension; it is asked once for each editor, by its first focus. */
export const later = (load) =>
  ViewPlugin.define((view) => new Later(view, load), {
    eventHandlers: {
      focus() {
        this.begin()
      },
    },
  })

class Later {
  constructor(view, load) {
    Object.assign(this, { view, load })
    if (view.hasFocus) this.begin()
  }

  destroy() {
    this.gone = true
  }

  async begin() {
    if (this.begun) return
    this.begun = true
    try {
      const extension = await this.load()
      if (!this.gone) this.view.dispatch({ effects: StateEffect.appendConfig.of(extension) })
    } catch (error) {
      this.begun = false
      logException(this.view.state, error)
    }
  }
}
