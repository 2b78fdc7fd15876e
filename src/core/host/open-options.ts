import type { Config } from '@braidwork/plugin'
import type { CallerTool } from '../tool-schemas/index.ts'
import type { Listener } from './request.ts'

/** What a config is opened with. */
export interface OpenOptions {
  /** Cancels what the opened config is at work on. */
  readonly signal?: AbortSignal
  /** Tools of the caller, offered after the plugins'. */
  readonly tools?: readonly CallerTool[]
  readonly conversationId?: string
  readonly runId?: string
  /** Where warnings and events of tools go; by default warnings go to the log, and events nowhere. */
  readonly listener?: Partial<Listener>
}

/** What a request of an opened config may bring beside its messages. */
export interface AskOptions {
  readonly signal?: AbortSignal
  /** By default a new one. */
  readonly requestId?: string
  /** In place of the config's: a choice that forces a call is meant for one request. */
  readonly toolChoice?: Config['tool_choice']
}

/** How the host itself opens a config. */
export interface Opening extends OpenOptions {
  readonly signal: AbortSignal
  readonly requestId?: string
  readonly onEnd?: () => void
}
