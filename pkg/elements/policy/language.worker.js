// The language service as a worker. Must not live here: what it answers.

import { answers } from '../common/answers.js'
import { verbs } from './language.js'

answers(verbs)
