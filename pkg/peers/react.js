// `tailnet-kit/react`: elements as components of React, but for the one that needs CodeMirror (`react/policy.js`). Must not live here: elements.

import { TailnetAccess as Access } from '../elements/access/element.js'
import { TailnetChanges as Changes } from '../elements/changes/element.js'
import { TailnetFlow as Flow } from '../elements/flow/element.js'
import { COMMON, component } from '../react/component.js'

export const TailnetAccess = /* @__PURE__ */ component('tailnet-access', Access, { ...COMMON, onCell: 'cell' })
export const TailnetChanges = /* @__PURE__ */ component('tailnet-changes', Changes, { ...COMMON, onCell: 'cell' })
export const TailnetFlow = /* @__PURE__ */ component('tailnet-flow', Flow, { ...COMMON, onEdit: 'edit' })
