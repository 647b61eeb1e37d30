// The entry `tailnet-kit/elements/access`. Must not live here: anything but naming the element.

import { TailnetAccess as Class } from './access/element.js'
import { defined } from './common/base.js'

export const TailnetAccess = defined('tailnet-access', Class)
