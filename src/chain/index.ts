import { answer, type Outcome } from './answer.ts'
import type { ChainRequest } from './request.ts'

export { HostError } from '../errors.ts'
export type { EnabledPlugins, Resolution, Resolved, ResolveOptions } from '../resolve/index.ts'
export { resolve } from '../resolve/index.ts'
export { answer, type Mode, type Outcome } from './answer.ts'
export { type Prepared, prepare } from './prepare.ts'
export { type ChainRequest, createTurn } from './request.ts'

/** One trip through the chain, not streaming. */
export async function send(request: ChainRequest): Promise<Outcome> {
  const run = answer(request, 'send')
  for (;;) {
    const { done, value } = await run.next()
    if (done) return value
  }
}

/** One trip through the chain, chunk by chunk: yields core partials, returns the outcome. */
export function stream(
  request: ChainRequest,
): AsyncGenerator<readonly unknown[], Outcome, undefined> {
  return answer(request, 'stream')
}
