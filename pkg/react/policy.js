// `tailnet-kit/react/policy`: the editor of a policy as a component of React. Apart, as it needs CodeMirror. Must not live here: the element.

import { TailnetPolicy as Policy } from '../elements/policy/element.js'
import { COMMON, component } from './component.js'

const EVENTS = { ...COMMON, onChange: 'change', onFindings: 'findings', onSave: 'save' }

export const TailnetPolicy = /* @__PURE__ */ component('tailnet-policy', Policy, EVENTS)
