// Where the wasm files of the policy engine find what reads the dialect of Headscale: whoever imports `tailnet-kit/headscale` brings it. Must
// not live here: adding it to a file (`host.js`), where it comes from (`scripts/loaders.mjs`).

let brought

/** Sets what gives the file, as bytes or as a compiled module. */
export const bring = (source) => {
  brought = source
}

/** The file; undefined until it was brought. */
export const brings = () => brought?.()
