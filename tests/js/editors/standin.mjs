// Puts `service.mjs` in place of `tailnet-kit/language` in a program of Node (`--import`). Must not live here: the service.

import { register } from 'node:module'

const url = new URL('service.mjs', import.meta.url).href
const hook = `export const resolve = (asked, context, next) => asked === 'tailnet-kit/language' ? { url: '${url}', shortCircuit: true } : next(asked, context)`
register(`data:text/javascript,${encodeURIComponent(hook)}`)
