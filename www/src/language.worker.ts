// Answers the editor's questions about its text. Must not live here: what is done with an answer.
import { expose } from 'comlink'
import { language } from 'tailnet-kit/language'

expose(language)
