// The entry `tailnet-kit/elements/conflict`. Must not live here: how texts are merged, what the element shows.

import { defined } from './common/base.js'
import { judge } from './common/judge.js'
import { TailnetConflict as Class } from './conflict/element.js'

export const TailnetConflict = defined('tailnet-conflict', Class)

export const merge = (base, mine, theirs) => judge('merge', base, mine, theirs)
