// Two people's changes to one text. Must not live here: when they are merged, or whether the result is a good policy.
import { diff } from '@codemirror/merge';
import { ChangeSet, Text } from '@codemirror/state';

/** `theirs` with my changes to `base` applied as well; null where both rewrote the same words. */
export function merge(base: string, mine: string, theirs: string): string | null {
  const [my, their] = [changes(base, mine), changes(base, theirs)];
  let clash = false;
  my.iterChangedRanges((from, to) => their.touchesRange(from, to) && to > from && (clash = true));
  return clash ? null : my.map(their).apply(Text.of(theirs.split('\n'))).toString();
}

function changes(from: string, to: string): ChangeSet {
  const spans = diff(from, to).map(({ fromA, toA, fromB, toB }) => ({ from: fromA, to: toA, insert: to.slice(fromB, toB) }));
  return ChangeSet.of(spans, from.length);
}
