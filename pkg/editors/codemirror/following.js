// Asks a question again after each change, and shows the answer when it comes. Must not live here: the question.

import { ViewPlugin, logException } from '@codemirror/view'

/**
 * Asks `question(text, viewport)` at the start and after each change, one at a time and `delay` ms late, and passes the answer to the
 * state as this effect; an answer overtaken by a change is dropped. With `viewport` it asks after scrolling too.
 */
export const following = (question, effect, { viewport = false, delay = 0 } = {}) =>
  ViewPlugin.define((view) => new Following(view, { question, effect, viewport, delay }))

class Following {
  constructor(view, how) {
    Object.assign(this, how)
    this.view = view
    this.ask()
  }

  update({ docChanged, viewportChanged }) {
    if (docChanged || (this.viewport && viewportChanged)) this.ask()
  }

  destroy() {
    this.gone = true
  }

  async ask() {
    this.overtaken = true
    if (this.asking) return
    this.asking = true
    try {
      while (this.overtaken && !this.gone) await this.once()
    } catch (error) {
      logException(this.view.state, error)
    } finally {
      this.asking = false
    }
  }

  async once() {
    // Without a delay it does not wait even for a timer, so that colours come with the letters.
    if (this.delay > 0) await new Promise((done) => setTimeout(done, this.delay))
    this.overtaken = false
    const {
      state,
      viewport: { from, to },
    } = this.view
    const answer = await this.question(state.doc.toString(), { from, to })
    if (!this.overtaken && !this.gone) this.view.dispatch({ effects: this.effect.of(answer) })
  }
}
