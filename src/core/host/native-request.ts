import { type MessagesInput, type State, toMessages } from '@braidwork/plugin'
import { bindRequest, type ChainRequest, prepare } from '../chain/index.ts'
import type { Opening } from './open-options.ts'
import { type Asking, newRequestId } from './request.ts'

/** Makes a request that goes through the chain. */
export type RequestFor = (asking: Asking) => Promise<ChainRequest>

/**
 * Builds the native request and the state as they are just before the provider would send them.
 * @throws {HostError} MESSAGES_INVALID, HOOK_FAILED
 */
export async function nativeRequest(
  requestFor: RequestFor,
  { signal, requestId = newRequestId(), listener }: Opening,
  messages: MessagesInput,
): Promise<{ native: unknown; state: State }> {
  const scope = new AbortController()
  try {
    const request = await requestFor({
      ...listener,
      messages: toMessages(messages),
      signal,
      scope: () => scope.signal,
      requestId,
    })
    const { native, state } = await prepare(bindRequest(request))
    return { native, state }
  } finally {
    scope.abort('the dry run is over')
  }
}
