// Declarations of `tailnet-kit/slim`: those of `tailnet-kit`, and the start. Must not live here: anything else.

export * from './index.js';

/** Where the wasm comes from: an address, a response (or the promise of one), its bytes, or the compiled module. */
export type WasmInput = string | URL | Response | Promise<Response> | BufferSource | WebAssembly.Module;

/**
 * Starts the kit. Idempotent; parallel calls share the first one's start; a failed start can be repeated. It rejects
 * with NotInitializedError, which says why. Until it is done offline calls throw NotInitializedError.
 */
export declare function init(input: WasmInput): Promise<void>;

/** The same from bytes or a compiled module, at once. Pages may compile up to 8 MB so. */
export declare function initSync(input: BufferSource | WebAssembly.Module): void;
