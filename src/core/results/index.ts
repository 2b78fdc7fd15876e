export { type KeptOutput, LargeResults, ResultLost } from './large-results.ts'
export { isNativeOutput, isOutputParts } from './output-parts.ts'
export { READ_RESULT, readResultTool } from './read-result.ts'
export { memoryResults, type ResultStore, type StoredResult } from './result-store.ts'
