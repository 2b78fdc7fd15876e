export { CallFacts } from './call-facts.tsx'
export { loadSpans } from './load.ts'
export type { Span } from './spans.ts'
export { TimeLine } from './timeline.tsx'
