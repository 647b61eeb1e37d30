// Starts the worker of the language service: a file beside this one. In CommonJS there is none (`scripts/assemble.mjs`).
// Must not live here: what the worker does.

export const started = () => new Worker(new URL('./language.worker.js', import.meta.url), { type: 'module' })
