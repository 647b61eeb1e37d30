// The entry `tailnet-kit/elements/policy`. Must not live here: anything but naming the element.

import { defined } from './common/base.js'
import { TailnetPolicy as Class } from './policy/element.js'

export const TailnetPolicy = defined('tailnet-policy', Class)
