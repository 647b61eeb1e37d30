// The entry `tailnet-kit/elements/flow`. Must not live here: anything but naming the element.

import { defined } from './common/base.js'
import { TailnetFlow as Class } from './flow/element.js'

export const TailnetFlow = defined('tailnet-flow', Class)
