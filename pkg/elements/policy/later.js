// What an editor has once somebody is in it: search, and brackets that close. Must not live here: what is there from the start.

import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { keymap } from '@codemirror/view'

export const extension = [closeBrackets(), highlightSelectionMatches(), keymap.of([...closeBracketsKeymap, ...searchKeymap])]
