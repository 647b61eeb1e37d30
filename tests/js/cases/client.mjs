// The client against the scripted server in front of the service. Must not live here: the cases themselves.

import { cases as calls } from './client/calls.mjs'
import { cases as control } from './client/control.mjs'
import { cases as exchanges } from './client/exchanges.mjs'
import { cases as failures } from './client/failures.mjs'
import { cases as tokens } from './client/tokens.mjs'

export const cases = (env) => [...tokens(env), ...exchanges(env), ...(env.baseURL ? [...calls(env), ...failures(env), ...control(env)] : [])]
