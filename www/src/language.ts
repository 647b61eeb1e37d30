// The language service of the elements' worker, by the files of this page. Must not live here: what it answers.
import 'tailnet-kit/headscale'

export { language as verbs } from 'tailnet-kit/language'
