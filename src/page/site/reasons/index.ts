/** The reasons and errors that a server gives by a code, in the words of the page. */
export { errorText, reasonText } from './error-text.ts'
export { faultText } from './fault-text.ts'
export { listText } from './list-text.ts'
export { RULE_WORDS } from './rule-words.ts'
export { type Reasoned, toolReason } from './tool-reason.ts'
