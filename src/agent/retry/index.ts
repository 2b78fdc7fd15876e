/** Which requests to a model are repeated, and when. The decisions are pure. */
export { breakersOf, CircuitBreakers, type RequestOutcome } from './circuit-breakers.ts'
export { failureOf } from './failure.ts'
export {
  assertRetry,
  RETRY_SCHEMA,
  type RetryPolicy,
  type RetrySection,
  retryPolicyOf,
} from './retry-section.ts'
export { askedWait, type Verdict, verdictOf } from './verdict.ts'
