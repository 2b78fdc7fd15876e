import type { MessagesInput } from '@braidwork/plugin'
import type { Mode } from '../chain/index.ts'
import type { CallerTool } from '../tool-schemas/index.ts'
import { configFor, type HostCore } from './core.ts'
import { EventStream } from './event-stream.ts'
import { openConfig } from './open-config.ts'
import type { OpenedConfig } from './opened-config.ts'
import { HostRequest, newRequestId, type RequestStream } from './request.ts'

export type { RequestStream } from './request.ts'

/** What a request may bring beside config and messages. */
export interface RequestOptions {
  readonly signal?: AbortSignal
  /** Tools of the caller, offered after the plugins'. */
  readonly tools?: readonly CallerTool[]
  readonly conversationId?: string
}

export interface AloneInput {
  /** Not checked yet. */
  readonly config: unknown
  readonly messages: MessagesInput
  readonly options: RequestOptions
}

/** A request that opens its config itself, and ends it. */
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
      const opening = { ...options, requestId, listener, signal: cancelled }
      opened = await openConfig(core, configFor(core, config), opening)
      // Nobody waits for it any more.
      if (cancelled.aborted) opened.end()
      return opened
    },
    isAlone: true,
    onEnd: () => opened?.end(),
  })
  return new EventStream(request)
}
