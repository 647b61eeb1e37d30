// The namespace `routes`. Must not live here: any judgement of a route.

import { json } from '../../common/arguments.js'
import { call, wasm } from './addresses.js'

export const summarize = call((record) => wasm.routes_summarize(json(record)))
