// Colours for the tokens of the service, in classes `tailnet-TYPE`. Must not live here: what a token is.

import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, EditorView } from '@codemirror/view'
import { following } from './following.js'

const setTokens = StateEffect.define()
const mark = ({ type, definition }) => Decoration.mark({ class: `tailnet-${type}${definition ? ' tailnet-definition' : ''}` })
const shown = StateField.define({
  create: () => Decoration.none,
  update: (before, { effects, changes }) => {
    const tokens = effects.find((effect) => effect.is(setTokens))?.value
    return tokens ? Decoration.set(tokens.filter(({ from, to }) => from < to).map((token) => mark(token).range(token.from, token.to))) : before.map(changes)
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** Types that look alike, with their colour on a light and on a dark background: the contrast is at least 4.5 to white and to #1e1e1e. */
const COLOURS = [
  [['comment'], '#5f6b76', '#8fa1b3'],
  [['key', 'attribute'], '#0550ae', '#7cc4ff'],
  [['string'], '#0a6640', '#8fd6a3'],
  [['number', 'literal', 'port', 'protocol', 'address'], '#8a3b00', '#f0b07a'],
  [['group', 'user', 'autogroup'], '#6f3fb5', '#c9a7ff'],
  [['tag', 'host', 'ipset', 'posture', 'service'], '#95185b', '#ff9ecb'],
  [['capability', 'operator', 'any'], '#7a4a00', '#e8c26b'],
  [['punctuation'], '#4d4d4d', '#b8b8b8'],
]
const selector = (ground, types) => types.map((type) => `&${ground} .tailnet-${type}`).join(', ')
const theme = EditorView.baseTheme({
  ...Object.fromEntries(
    COLOURS.flatMap(([types, light, dark]) => [
      [selector('light', types), { color: light }],
      [selector('dark', types), { color: dark }],
    ]),
  ),
  '.tailnet-comment': { fontStyle: 'italic' },
  '.tailnet-definition': { fontWeight: 'bold' },
  '.tailnet-invalid': { textDecoration: 'underline wavy #c00' },
})

export const highlight = (ask) => [shown, theme, following((text, range) => ask('tokens', text, range), setTokens, { viewport: true })]
