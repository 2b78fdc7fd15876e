import type { EndOfToken } from './token-holds.ts'

/** Calls a function when the caller of a request may no longer read. Returns a function that takes that back. */
export type Hold = (end: EndOfToken) => () => void

const holds = new WeakMap<Request, Hold>()

/** Says how to hold work for a request. */
export function setHold(request: Request, hold: Hold): void {
  holds.set(request, hold)
}

/** Calls a function when the token of a request ends while it is answered. The returned function takes that back. */
export function holdFor(request: Request, end: EndOfToken): () => void {
  return holds.get(request)?.(end) ?? (() => undefined)
}
