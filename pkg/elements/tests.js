// The entry `tailnet-kit/elements/tests`. Must not live here: anything but naming the element.

import { defined } from './common/base.js'
import { TailnetTests as Class } from './tests/element.js'

export const TailnetTests = defined('tailnet-tests', Class)
