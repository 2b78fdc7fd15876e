import type { Sink } from '../hooks/index.ts'
import { answer, type Outcome } from './answer.ts'
import type { ChainRequest } from './request.ts'

export { answer, type Mode, type Outcome } from './answer.ts'
export { lowerOffered, type Prepared, prepare, prepareTools } from './prepare.ts'
export { type Bound, bindRequest, type ChainRequest } from './request.ts'

/** Runs a request through the chain without streaming. */
export function send(request: ChainRequest): Promise<Outcome> {
  return answer(request, 'send', () => undefined)
}

/** Runs a request through the chain chunk by chunk. Passes core partials to the sink and resolves to the outcome. */
export function stream(request: ChainRequest, sink: Sink<readonly unknown[]>): Promise<Outcome> {
  return answer(request, 'stream', sink)
}
