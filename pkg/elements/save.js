// The entry `tailnet-kit/elements/save`. Must not live here: anything but naming the element.

import { defined } from './common/base.js'
import { TailnetSave as Class } from './save/element.js'

export const TailnetSave = defined('tailnet-save', Class)
