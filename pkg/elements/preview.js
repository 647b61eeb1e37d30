// The entry `tailnet-kit/elements/preview`. Must not live here: anything but naming the element.

import { defined } from './common/base.js'
import { TailnetPreview as Class } from './preview/element.js'

export const TailnetPreview = defined('tailnet-preview', Class)
