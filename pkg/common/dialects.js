// Where the wasm files of the policy engine find what reads the dialect of Headscale: whoever imports `tailnet-kit/headscale` brings it. Must
// not live here: adding it to a file (`host.js`), where it comes from (`scripts/loaders.mjs`).

const sources = new Set()

/** Adds what gives the file, as bytes or as a compiled module; that of `slim` gives nothing until its user has. */
export const bring = (source) => {
  sources.add(source)
}

/** The file; undefined until it was brought. */
export function brings() {
  for (const source of sources) {
    const file = source()
    if (file) return file
  }
  return undefined
}
