// The entry `tailnet-kit/elements/changes`. Must not live here: anything but naming the element.

import { TailnetChanges as Class } from './changes/element.js'
import { defined } from './common/base.js'

export const TailnetChanges = defined('tailnet-changes', Class)
