// What other entries read of a client. Must not live here: operations. The names are the same in every copy of the package.

/** Of a method: how many arguments stand before the options of the call. */
export const OPERATION = Symbol.for('tailnet-kit.operation')
/** Of a client: its service and its tailnet. */
export const PLACE = Symbol.for('tailnet-kit.place')
