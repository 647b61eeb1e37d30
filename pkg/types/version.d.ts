// The version, which every entry exports. Must not live here: anything else.

/** The version of this package. */
export declare const version: string
