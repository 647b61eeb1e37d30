// Remarks between the words. Must not live here: what they say.

import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, EditorView, WidgetType } from '@codemirror/view'
import { following } from './following.js'

const setInlays = StateEffect.define()

class Remark extends WidgetType {
  constructor({ text, kind, tooltip = '' }) {
    super()
    Object.assign(this, { text, kind, tooltip })
  }

  eq({ text, kind, tooltip }) {
    return text === this.text && kind === this.kind && tooltip === this.tooltip
  }

  toDOM({ dom: { ownerDocument } }) {
    const span = ownerDocument.createElement('span')
    span.className = `tailnet-inlay tailnet-inlay-${this.kind}`
    span.textContent = this.text
    span.title = this.tooltip
    // So that screen readers do not read it as a part of the text.
    span.setAttribute('role', 'note')
    span.setAttribute('aria-label', [this.text, this.tooltip].filter(Boolean).join(': '))
    return span
  }
}

const widget = (inlay) => Decoration.widget({ widget: new Remark(inlay), side: 1 }).range(inlay.at)
const shown = StateField.define({
  create: () => Decoration.none,
  update: (before, { effects, changes }) => {
    const inlays = effects.find((effect) => effect.is(setInlays))?.value
    return inlays ? Decoration.set(inlays.map(widget), true) : before.map(changes)
  },
  provide: (field) => EditorView.decorations.from(field),
})

const theme = EditorView.baseTheme({
  '.tailnet-inlay': { margin: '0 0.4em', padding: '0 0.4em', borderRadius: '3px', fontSize: '85%' },
  '&light .tailnet-inlay': { color: '#57606a', backgroundColor: '#f0f2f4' },
  '&dark .tailnet-inlay': { color: '#a9b4bf', backgroundColor: '#2a2f35' },
  '.tailnet-inlay-unreached': { fontStyle: 'italic' },
})

export const inlay = (ask) => [shown, theme, following((text, range) => ask('inlay', text, range), setInlays, { viewport: true, delay: 200 })]
