// The client against the scripted server in front of the service. Must not live here: the cases themselves.

import { cases as calls } from './client/calls.mjs'
import { cases as control } from './client/control.mjs'
import { cases as exchanges } from './client/exchanges.mjs'
import { cases as failures } from './client/failures.mjs'
import { cases as tokens } from './client/tokens.mjs'

// Those for tokens last: some of them wait, beside cases that no longer replace what is global.
export const cases = (env) => [...(env.baseURL ? [...calls(env), ...failures(env), ...control(env)] : []), ...exchanges(env), ...tokens(env)]
