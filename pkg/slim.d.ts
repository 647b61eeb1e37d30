// Declarations of `tailnet-kit/slim`: those of `tailnet-kit`, and the start. Must not live here: anything else.

export * from './index.js'

/** Where the wasm comes from: an address, a response (or the promise of one), its bytes, or the compiled module. */
export type WasmInput = string | URL | Response | Promise<Response> | BufferSource | WebAssembly.Module

/**
 * Where parts of the kit come from, for who does not need all of it: `text` has `hujson`, `cidr`, `routes`, `dns` and
 * `policy.edit`, `json5` has `hujson.fromJSON5`, the others what they are called after.
 */
export interface WasmParts<Input = WasmInput> {
  text?: Input
  json5?: Input
  client?: Input
  policy?: Input
}

/**
 * Starts the kit: all of it by `tailnet_kit.wasm`, or parts by their own files. Idempotent; parallel calls share the first one's
 * start; a failed start can be repeated. It rejects with NotInitializedError, which says why. Until it is done offline calls throw
 * NotInitializedError; so do later the calls of a part whose file was not given, and name it.
 * @example
 * await init({ text: import.meta.resolve('tailnet-kit/text.wasm'), policy: import.meta.resolve('tailnet-kit/policy.wasm') })
 * await init(import.meta.resolve('tailnet-kit/tailnet_kit.wasm')) // all of it; in a page the address that the bundler gives
 */
export declare function init(input: WasmInput | WasmParts): Promise<void>

/**
 * The same from bytes or compiled modules, at once. Pages may compile up to 8 MB so. A module can be sent to a worker, which need not compile it again.
 * @example initSync(readFileSync(new URL(import.meta.resolve('tailnet-kit/tailnet_kit.wasm')))) // readFileSync of node:fs
 */
export declare function initSync(input: BufferSource | WebAssembly.Module | WasmParts<BufferSource | WebAssembly.Module>): void
