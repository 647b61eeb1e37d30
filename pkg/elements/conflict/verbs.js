// What somebody asks who meets another's change: what each of both changed, and both as one text. Must not live here: elements.

import { policy } from '../common/engine.js'
import { merge } from './merge.js'

export { merge }

export function conflict(base, mine, theirs) {
  return { mine: policy.diff(base, mine), theirs: policy.diff(base, theirs), merged: merge(base, mine, theirs) }
}
