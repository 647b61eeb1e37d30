// The entry `tailnet-kit/elements/share`. Must not live here: anything but naming the element.

import { defined } from './common/base.js'
import { TailnetShare as Class } from './share/element.js'

export const TailnetShare = defined('tailnet-share', Class)
