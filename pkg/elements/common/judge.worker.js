// The judge as a worker. Must not live here: the verbs.

import { answers } from './answers.js'
import { verbs } from './verbs.js'

answers(verbs)
