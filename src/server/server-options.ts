import type { Environment, Storage } from '@braidwork/agent'
import type { LeaseTimes } from '@braidwork/agent/internal'
import type { Host } from '@braidwork/core'
import type { Log } from '@braidwork/plugin'
import type { FlightLimits } from './bodies.ts'
import type { Authenticate, Identity } from './identity.ts'
import type { IdentityLimits } from './limits.ts'
import type { PublishedModels } from './published.ts'
import type { StorageLimits } from './quotas.ts'

/** Names of protocols, as settings and logs have them. */
export const PROTOCOLS = [
  'ui-message-stream',
  'ag-ui',
  'chat-completions',
  'responses',
  'anthropic-messages',
] as const
export type Protocol = (typeof PROTOCOLS)[number]

/** How much a request may bring. */
export interface BodyLimits {
  /** Bytes of a request's body. */
  readonly body: number
  /** Messages, or items, of its history. */
  readonly messages: number
  /** Parts of all its messages. */
  readonly parts: number
  /** Calls of tools in them. */
  readonly calls: number
  /** Tools of the client. */
  readonly tools: number
  /** Values of its JSON, one in another, and keys; those of an object beyond its thousandth count ten times. */
  readonly values: number
  /** Lists and objects within each other. */
  readonly depth: number
}

export interface WireLimits extends IdentityLimits, BodyLimits, FlightLimits, StorageLimits {
  /** Bytes of an uploaded file. */
  readonly file: number
  /** Bytes of uploaded files that the messages of one run may have. */
  readonly attachments: number
}

export const DEFAULT_WIRE_LIMITS: WireLimits = {
  requests_per_minute: 600,
  runs: 200,
  body: 10 << 20,
  messages: 5000,
  parts: 10_000,
  calls: 4000,
  tools: 500,
  values: 100_000,
  depth: 200,
  file: 25 << 20,
  attachments: 100 << 20,
  bodies: 128 << 20,
  all_bodies: 512 << 20,
  storage: 4 * 2 ** 30,
  conversations: 20_000,
  files: 20_000,
  conversation: 64 << 20,
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
