// The judge as a worker. Must not live here: the verbs.

import { answers } from './answers.js'

answers(() => import('./verbs.js'))
