// The namespace `policy`: its verbs, and edits, which another wasm file does. Must not live here: anything but re-exporting.

export * as edit from './edit.js'
export * from './verbs.js'
