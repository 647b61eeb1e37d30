// Policies as JavaScript sees them: shapes, positions, what is thrown. Must not live here: the cases themselves; the tables of documents
// (tests/policy), the laws (tests/policy_laws).

import { cases as edit } from './policy/edit.mjs'
import { cases as headscale } from './policy/headscale.mjs'
import { cases as open } from './policy/open.mjs'
import { cases as questions } from './policy/questions.mjs'
import { cases as review } from './policy/review.mjs'
import { cases as verdict } from './policy/verdict.mjs'

export const cases = (env) => [verdict, questions, edit, review, open, headscale].flatMap((cases) => cases(env))
