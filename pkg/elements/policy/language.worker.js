// The language service as a worker. Must not live here: what it answers.

import { answers } from '../common/answers.js'

answers(() => import('./language.js'))
