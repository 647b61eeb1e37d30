// Declarations of `tailnet-kit/react/policy`. Must not live here: elements (`types`).

import type { Component } from '../react.cjs'
import type { TailnetPolicy as Policy, PolicyEventMap } from '../types/policy-editor.cjs'

/** `<tailnet-policy>` as a component. */
export declare const TailnetPolicy: Component<Policy, PolicyEventMap>
