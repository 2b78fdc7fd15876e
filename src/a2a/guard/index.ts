/** The guard: which addresses are asked, and how much of an answer is read. */
export { type GuardedFetch, guardedFetch } from './guarded-fetch.ts'
export type { Resolve } from './target.ts'
