// What the name of a file says about it. Must not live here: arguments, texts, anything of Node.

/** The dialect of a policy by its file's name; undefined for the first line to decide. */
export const dialectNamed = (file) => (file?.endsWith('.headscale.hujson') ? 'headscale' : undefined)
