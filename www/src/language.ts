// The language service of the elements' worker, by the files of this page. Must not live here: what it answers.
export { language as verbs } from 'tailnet-kit/language'
