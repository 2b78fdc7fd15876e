import type { MessagesInput } from '@braidwork/plugin'
import type { Mode } from '../chain/index.ts'
import type { CallerTool } from '../tool-schemas/index.ts'
import { configFor, type HostCore } from './core.ts'
import { EventStream } from './event-stream.ts'
import { openConfig } from './open-config.ts'
import type { OpenedConfig } from './opened-config.ts'
import { assertOptionKinds, ELSEWHERE, ID, type Kind } from './option-kinds.ts'
import { HostRequest, newRequestId, type RequestStream } from './request.ts'

export type { RequestStream } from './request.ts'

/** Options of a request. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  /** Tools of the caller. They are offered after the plugins' tools. */
  readonly tools?: readonly CallerTool[] | undefined
  readonly conversationId?: string | undefined
}

const KINDS: { readonly [K in keyof RequestOptions]-?: Kind } = {
  signal: ELSEWHERE,
  tools: ELSEWHERE,
  conversationId: ID,
}

export interface AloneInput {
  /** The config as the caller gave it, unchecked. */
  readonly config: unknown
  readonly messages: MessagesInput
  readonly options: RequestOptions
}

/** A request that opens its config itself, and ends it afterwards. */
export function requestStream(
  core: HostCore,
  mode: Mode,
  { config, messages, options: { signal, ...options } }: AloneInput,
): RequestStream {
  const requestId = newRequestId()
  let opened: OpenedConfig | undefined
  const request = new HostRequest(core, mode, {
    requestId,
    messages,
    signals: [signal],
    open: async (listener, cancelled) => {
      assertOptionKinds('A request', options, KINDS)
      const opening = { ...options, requestId, listener, signal: cancelled }
      opened = await openConfig(core, configFor(core, config), opening)
      // The reader left while the config was being opened.
      if (cancelled.aborted) opened.end()
      return opened
    },
    isAlone: true,
    onEnd: () => opened?.end(),
  })
  return new EventStream(request)
}
