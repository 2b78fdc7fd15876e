import { type MessagesInput, type State, toMessages } from '@braidwork/plugin'
import { bindRequest, type ChainRequest, prepare } from '../chain/index.ts'
import { type DryRunStep, Watch } from '../dry-run/index.ts'
import type { AskedChanges } from './asked-config.ts'
import type { Opening } from './open-options.ts'
import { type Asking, newRequestId } from './request.ts'

/** Makes a request that goes through the chain. */
export type RequestFor = (asking: Asking) => Promise<ChainRequest>

/** A request that is not sent. */
export interface DryRun {
  readonly native: unknown
  readonly state: State
  /** What each hook changed, in order, if that was asked for. */
  readonly steps?: readonly DryRunStep[]
}

/** The answer of a dry run with these options: it has steps if they ask for them. */
export type DryRunFor<O> = O extends { readonly steps: true } ? Required<DryRun> : DryRun

/** How a dry run is made. */
export interface NativeRequestOptions {
  /**
   * Whether to tell what each hook changed. The whole answer is then for showing: it is JSON, with secrets masked. The
   * default is false.
   */
  readonly steps?: boolean
  /** What the request changes in the config, as the options of `ask`. */
  readonly changes?: AskedChanges
}

/**
 * Builds the native request and the state as they are just before the provider would send them.
 * @throws {HostError} MESSAGES_INVALID, HOOK_FAILED
 */
export async function nativeRequest(
  requestFor: RequestFor,
  { signal, requestId = newRequestId(), listener }: Opening,
  messages: MessagesInput,
  { steps, changes = {}, mask }: NativeRequestOptions & { readonly mask: (text: string) => string },
): Promise<DryRun> {
  const scope = new AbortController()
  try {
    const request = await requestFor({
      ...listener,
      messages: toMessages(messages),
      signal,
      scope: () => scope.signal,
      requestId,
      changes,
    })
    return steps ? await watched(request, mask) : await prepared(request)
  } finally {
    scope.abort('the dry run is over')
  }
}

async function prepared(request: ChainRequest): Promise<DryRun> {
  const { native, state } = await prepare(bindRequest(request))
  return { native, state }
}

async function watched(request: ChainRequest, mask: (text: string) => string): Promise<DryRun> {
  const watch = new Watch(mask)
  const { native, state } = await prepared({ ...request, plugins: watch.over(request.plugins) })
  return {
    native: watch.shown(native),
    state: watch.shown(state) as State,
    steps: watch.steps,
  }
}
