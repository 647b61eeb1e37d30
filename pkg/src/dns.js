// The namespace `dns`. Must not live here: any judgement of a name or an address.

import { json } from '../../common/arguments.js'
import { call, wasm } from './addresses.js'

export const checkNameserver = call((address) => wasm.dns_check_nameserver(json([address])))
export const checkSearchPath = call((name) => wasm.dns_check_search_path(json([name])))
