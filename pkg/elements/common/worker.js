// Starts the judge's worker: a file beside this one, so that bundlers find it and no blob is needed. In CommonJS there is none
// (`scripts/assemble.mjs`). Must not live here: what the worker does.

export const started = () => new Worker(new URL('./judge.worker.js', import.meta.url), { type: 'module' })
