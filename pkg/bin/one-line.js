// How a text of somebody else becomes one line of ours. Must not live here: the lines.

/** What breaks a line, controls a terminal, or hides and reorders the letters around it; tabs do not. */
export const UNSEEN = /[\0-\x08\x0a-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/** A text as one line that is safe to print and reads as it is: such characters become escapes. */
export const oneLine = (text) => text.replace(UNSEEN, (c) => (c === '\n' ? '\\n' : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`))
