// Fetches an extension when somebody first uses the editor, so that drawing the page does not wait for it. Must not live here: the extension.

import { StateEffect } from '@codemirror/state'
import { ViewPlugin, logException } from '@codemirror/view'

/**
 * `load()` resolves with `{ extension, missed }`; it is called once for each editor, at its first focus or its first change.
 * `missed(view)` is called where somebody wrote before the extension was there.
 */
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

  update({ docChanged, transactions }) {
    if (this.has || !docChanged || !transactions.some((transaction) => transaction.isUserEvent('input'))) return
    this.wrote = true
    this.begin()
  }

  destroy() {
    this.gone = true
  }

  async begin() {
    if (this.begun) return
    this.begun = true
    try {
      const { extension, missed } = await this.load()
      if (this.gone) return
      this.has = true
      this.view.dispatch({ effects: StateEffect.appendConfig.of(extension) })
      if (this.wrote) missed(this.view)
    } catch (error) {
      this.begun = false
      logException(this.view.state, error)
    }
  }
}
