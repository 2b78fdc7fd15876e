import type { Environment } from '../agent/index.ts'
import type { LeaseTimes } from '../agent/run-log/index.ts'
import type { Storage } from '../agent/storage/index.ts'
import type { Host } from '../host/index.ts'
import type { Log } from '../plugin/index.ts'
import type { Authenticate, Identity } from './identity.ts'
import type { IdentityLimits } from './limits.ts'
import type { PublishedModels } from './published.ts'

/** Names of protocols, as settings and logs have them. */
export const PROTOCOLS = [
  'ui-message-stream',
  'ag-ui',
  'chat-completions',
  'responses',
  'anthropic-messages',
] as const
export type Protocol = (typeof PROTOCOLS)[number]

export interface WireLimits extends IdentityLimits {
  /** Bytes of a request's body. */
  readonly body: number
  /** Bytes of an uploaded file. */
  readonly file: number
}

export const DEFAULT_WIRE_LIMITS: WireLimits = {
  requests_per_minute: 600,
  runs: 200,
  body: 10 << 20,
  file: 25 << 20,
}

/** What a server is made of; `host` and `storage` stay the caller's to close. */
export interface ServerOptions {
  readonly host: Host
  readonly storage: Storage
  /** By default those that the provider of the host's config offers. */
  readonly models?: PublishedModels
  /** Says who calls. Without it everybody is `anonymous`. */
  readonly authenticate?: Authenticate
  /** Whoever calls where nobody is asked who he is; nobody is let in without this and `authenticate`. */
  readonly anonymous?: Identity
  /**
   * Host names that the server answers to. Where it is not said: to all, if `authenticate` says who calls; else
   * those of this machine to itself, so that no page of another site reaches it under a name of its own.
   */
  readonly hosts?: readonly string[]
  /** Origins of pages beside the server's own that may call it. */
  readonly origins?: readonly string[]
  readonly limits?: Partial<WireLimits>
  /** Milliseconds without a reader after which a run of a chat UI is stopped; 30,000. */
  readonly cancelAfter?: number
  /** Milliseconds of silence after which a stream is kept open by a comment; 15,000. */
  readonly heartbeat?: number
  /** Milliseconds after a run's end in which its deltas are kept; 7 days. */
  readonly retention?: number
  /** Protocols that cannot ask a person on which tools whose policy is `ask` run all the same. */
  readonly askAllowedOn?: readonly Protocol[]
  /** JSON pointers of settings of plugins that a `user` may set, as `/settings/instructions/text`. */
  readonly settable?: readonly string[]
  /** Whether `X-Forwarded-Host` and `X-Forwarded-Proto` count: only behind a proxy that sets them itself. */
  readonly trustsProxy?: boolean
  /** Whether the log has what was asked and answered. */
  readonly logsContent?: boolean
  /** A path before every address, as `/braidwork`. */
  readonly basePath?: string
  readonly log?: Log
  readonly environment?: Environment
  /** Seconds between two signs that a run's process lives, and without one until another ends it; 10 and 30. */
  readonly lease?: LeaseTimes
}
