export { ANSWERS, messagesOf, TEXT } from './answers.ts'
export {
  type Asked,
  Harness,
  type Lacking,
  type Question,
  SUITE_OPTIONS,
  type SuiteOptions,
} from './harness.ts'
export { HISTORIES, LAST_WORDS, LOOKUP, PICTURE } from './histories.ts'
export type { Mood, RecordedApi } from './model-api.ts'
