export { ANSWERS, messagesOf, TEXT } from './answers.ts'
export { type Asked, Bench, type Question, type SuiteOptions } from './bench.ts'
export { HISTORIES, LAST_WORDS, LOOKUP, PICTURE } from './histories.ts'
export type { Mood, RecordedApi } from './model-api.ts'
