// `<tailnet-access>`. Must not live here: what a matrix of access is (`policy.d.ts`).

import type { CellDetail, ElementEventMap, KitElement } from './element.js'
import type { Party, PolicyContext, RuleRef } from './policy.js'

/** The matrix that is shown, before filters. */
export interface ShownMatrix {
  /** Whether rows and columns are names of the policy or devices. */
  by: 'name' | 'device'
  /** Of what it is. */
  of: 'ports' | 'logins'
  /** Its rows. */
  sources: Party[]
  /** Its columns. */
  destinations: Party[]
}

/** The cell that somebody chose, with its rules. */
export interface ChosenCell extends CellDetail {
  /** The rules of `value` that open it. */
  because: RuleRef[]
  /** The rules of `base` that opened what is lost. */
  before: RuleRef[]
}

/** The events of `<tailnet-access>`. */
export interface AccessEventMap extends ElementEventMap<ShownMatrix> {
  /** Somebody chose a cell, by a click, Enter or the space bar. */
  cell: CustomEvent<ChosenCell>
}

/**
 * `<tailnet-access>`: who reaches what, or may log in to what by SSH, as a matrix; against `base`, what of that is gained, lost and undecided. It filters,
 * joins equal rows and columns, names ports where that is wanted, and shows only what changes as long as something does. Arrow keys, Home, End, Page Up and Page Down move; Tab stops
 * once. From 40 rows and 40 columns on it has an overview. `--tailnet-matrix-height` is its largest height. Parts: `body`, `grid`, `overview`,
 * `legend`, `words`, `rule`, `save`, `fault`.
 * @example
 * const access = document.createElement('tailnet-access')
 * Object.assign(access, { value: text, context })
 * access.addEventListener('answer', () => access.jump({ source: 'ann@example.com', destination: 'tag:web' }))
 */
export declare class TailnetAccess extends KitElement<AccessEventMap> {
  /** The policy, as text. */
  value: string
  /** The policy to compare with, as text; empty for none. */
  base: string
  /** The network. */
  context: PolicyContext | undefined
  /** Rows and columns by the names of the policy, or one for each device of the context. Without devices, `device` is an `invalid_argument`. */
  by: 'name' | 'device'
  /** Ports, or logins by SSH. */
  of: 'ports' | 'logins'
  /**
   * Shows and focuses a cell, and clears the filters if they hide it. False if the matrix has no such cell, or if it has to be asked first: then
   * the cell is shown as soon as it is there.
   */
  jump(cell: { source: string; destination: string; of?: 'ports' | 'logins' }): boolean
  /**
   * Marks the cells that rules on these lines of `value` open, in place of those marked before.
   * @example document.querySelector('tailnet-access')?.mark([12])
   */
  mark(lines: number[]): void
  /** What is shown, as SVG. */
  toSVG(): string
  /** What is shown, as PNG. */
  toPNG(): Promise<Blob>
  /** What is shown, as CSV: a line for each pair of names. */
  toCSV(): string
}

declare global {
  interface HTMLElementTagNameMap {
    'tailnet-access': TailnetAccess
  }
}
