// Declarations of `tailnet-kit/slim`: those of `tailnet-kit`, and the start. Must not live here: anything else.

export * from './index.js'

/** A compiled module: `WebAssembly.Module`, where the environment has types for it. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : never

/** The bytes of a wasm file: `BufferSource`, where the environment has types for it. */
export type WasmBytes = typeof globalThis extends { WebAssembly: { validate: (bytes: infer Bytes) => boolean } } ? Bytes : ArrayBuffer | ArrayBufferView

/** Where the wasm comes from: a URL, a response (or the promise of one), its bytes, or the compiled module. */
export type WasmInput = string | URL | Response | Promise<Response> | WasmBytes | WasmModule

/**
 * Where parts of the kit come from, if you do not need all of it: `text` contains `hujson`, `cidr`, `routes`, `dns` and
 * `policy.edit`, `json5` contains `hujson.fromJSON5`, `dialect` the dialect of Headscale beside `policy` (the whole kit has it), the others what they are named after.
 */
export interface WasmParts<Input = WasmInput> {
  text?: Input
  json5?: Input
  client?: Input
  policy?: Input
  dialect?: Input
}

/**
 * Starts the kit: all of it with `tailnet_kit.wasm`, or parts with their own files. Idempotent; parallel calls share one start;
 * a failed start can be retried. It rejects with NotInitializedError, which says why. Until it is done, offline calls throw
 * NotInitializedError; afterwards calls of a part whose file was not given throw it, and name the part.
 * @example
 * await init({ text: import.meta.resolve('tailnet-kit/text.wasm'), policy: import.meta.resolve('tailnet-kit/policy.wasm') })
 * await init(import.meta.resolve('tailnet-kit/tailnet_kit.wasm')) // all of it; in a page the address that the bundler gives
 */
export declare function init(input: WasmInput | WasmParts): Promise<void>

/**
 * The same from bytes or compiled modules, synchronously. Pages may compile up to 8 MB like this. A compiled module can be posted to a worker.
 * @example initSync(readFileSync(new URL(import.meta.resolve('tailnet-kit/tailnet_kit.wasm')))) // readFileSync of node:fs
 */
export declare function initSync(input: WasmBytes | WasmModule | WasmParts<WasmBytes | WasmModule>): void
