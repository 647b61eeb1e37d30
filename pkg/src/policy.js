// The namespace `policy`: its verbs, and the edits, which are in another wasm file. Must not live here: anything but re-exporting.

export * as edit from './edit.js'
export * from './verbs.js'
