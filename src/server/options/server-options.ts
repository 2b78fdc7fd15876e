import type { AgentRuntime, Environment, Storage } from '@braidwork/agent'
import type { LeaseTimes } from '@braidwork/agent/internal'
import type { Host } from '@braidwork/core'
import type { Log } from '@braidwork/plugin'
import type { FlightLimits } from '../bodies.ts'
import type { Authenticate, Identity } from '../identity.ts'
import type { IdentityLimits } from '../limits.ts'
import type { PerRequest } from '../per-request.ts'
import type { PublishedModels } from '../published.ts'
import type { StorageLimits } from '../quotas.ts'

/** The pattern of a prefix of all paths, which has no slash at its end. */
export const BASE_PATH = '^(/[\\w.~-]+)+$'
export const BASE_PATH_EXPECTED = 'a path, such as "/braidwork", without a slash at its end'

/** The names of the protocols, as used in settings and logs. */
export const PROTOCOLS = [
  'ui-message-stream',
  'ag-ui',
  'chat-completions',
  'responses',
  'anthropic-messages',
] as const
export type Protocol = (typeof PROTOCOLS)[number]

/** How the server posts the states of tasks of A2A to the receivers that clients name. */
export interface NotificationSettings {
  /** Whether receivers may have addresses that are not on the public internet, and http. The default is false. */
  readonly allowPrivate?: boolean
}

/** What the server tells OpenTelemetry. */
export interface TelemetrySettings {
  /** Whether spans have arguments, results and answers. The default is false. */
  readonly content?: boolean
}

/** Limits on the contents of one request. */
export interface BodyLimits {
  /** The size of the body in bytes. */
  readonly body: number
  /** The number of messages, or items, in the history. */
  readonly messages: number
  /** The number of parts in all messages together. */
  readonly parts: number
  /** The number of tool calls in all messages together. */
  readonly calls: number
  /** The number of tools that the client defines. */
  readonly tools: number
  /**
   * The number of JSON values and keys, nested ones included. In an object, each member beyond the thousandth
   * counts as ten.
   */
  readonly values: number
  /** The depth of nested arrays and objects. */
  readonly depth: number
}

export interface WireLimits extends IdentityLimits, BodyLimits, FlightLimits, StorageLimits {
  /** The size of an uploaded file in bytes. */
  readonly file: number
  /** The total size of uploaded files that the messages of one run may refer to, in bytes. */
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

/**
 * After how many milliseconds without an event a stream sends a comment, unless an option says otherwise. `Bun.serve`
 * closes a connection that is silent for 8 to 12 seconds, unless it is told otherwise.
 */
export const DEFAULT_HEARTBEAT = 5000

/** A file of a page. */
export interface PageFile {
  /** The media type. */
  readonly type: string
  readonly body: Uint8Array<ArrayBuffer>
}

/** The files of a page by their paths, such as `index.html`: `pageFiles()` of `@braidwork/page` reads them. */
export type PageFiles = ReadonlyMap<string, PageFile>

/** The options of a server. The caller has to close `host` and `storage`. */
export interface ServerOptions extends PerRequest {
  readonly host: Host
  /** Also the storage of the values of plugins, unless the host was given one of its own. */
  readonly storage: Storage
  /** The default is the models of the provider in the host's config. */
  readonly models?: PublishedModels | undefined
  /**
   * Agents that clients may ask for like `models`, made by `createRuntime` for the same host. An agent that is added
   * later is published too. The default is none.
   */
  readonly runtime?: AgentRuntime | undefined
  /** The ids of the agents of `runtime` that are published. The default is all. */
  readonly agents?: readonly string[] | undefined
  /**
   * JSON pointers of the plugin settings and switches that agents in the storage may have, beside those in `settable`.
   */
  readonly storable?: readonly string[] | undefined
  /** Identifies callers. Without it, every caller is `anonymous`. */
  readonly authenticate?: Authenticate | undefined
  /**
   * Whether tokens of the storage identify callers that `authenticate` does not know. `braidwork tokens` issues and
   * revokes them. The default is false.
   */
  readonly storedTokens?: boolean | undefined
  /** The identity of every caller if `authenticate` and `storedTokens` are absent. Without all, nobody may call the server. */
  readonly anonymous?: Identity | undefined
  /**
   * The host names that the server answers to. By default any name with `authenticate`; without it only loopback
   * names, so that a page of another site cannot reach the server under a name of its own (DNS rebinding). A request
   * names the host in its `Host` header, and in its URL if there is no such header.
   */
  readonly hosts?: readonly string[] | undefined
  /** Origins of web pages, besides the server's own, that may call it. */
  readonly origins?: readonly string[] | undefined
  readonly limits?: Partial<WireLimits> | undefined
  /** Stop a run of a chat UI after this many milliseconds without a reader. The default is 30,000. */
  readonly cancelAfter?: number | undefined
  /**
   * Send a comment after this many milliseconds without an event, to keep the stream open. The default is 5,000.
   */
  readonly heartbeat?: number | undefined
  /** How long after a run's end its single deltas are kept, in milliseconds. The default is 7 days. */
  readonly retention?: number | undefined
  /**
   * How long a response of the Responses API is kept if its request does not say `store`, in milliseconds. By default
   * such a response is not kept.
   */
  readonly keepResponses?: number | undefined
  /** Protocols that cannot ask for approvals, but on which tools with the policy `ask` may still run. */
  readonly askAllowedOn?: readonly Protocol[] | undefined
  /** Lets clients of A2A name receivers of push notifications. By default there are none. */
  readonly pushNotifications?: NotificationSettings | undefined
  /** Tells OpenTelemetry of each run. By default it is told nothing. */
  readonly telemetry?: TelemetrySettings | undefined
  /**
   * The id of the agent, or the name of the model, whose tools clients of MCP may call themselves. By default they can
   * only ask agents.
   */
  readonly mcpTools?: string | undefined
  /** JSON pointers of the plugin settings that a `user` may change, such as `/settings/instructions/text`. */
  readonly settable?: readonly string[] | undefined
  /** The names of the plugins whose actions callers may run in their conversations, such as `memory`. By default none. */
  readonly actions?: readonly string[] | undefined
  /** Whether to trust `X-Forwarded-Host` and `X-Forwarded-Proto`. Use it only behind a proxy that sets both. */
  readonly trustsProxy?: boolean | undefined
  /** Whether to log the contents of requests and responses. */
  readonly logsContent?: boolean | undefined
  /** Whether clients are told what a model API said when it refused a request. It may quote the operator's config. */
  readonly showsUpstreamErrors?: boolean | undefined
  /** The page that the server shows at `/`. By default it shows none. */
  readonly page?: PageFiles | undefined
  /** A prefix of all paths, such as `/braidwork`, without a slash at its end. The default is none. */
  readonly basePath?: string | undefined
  readonly log?: Log | undefined
  readonly environment?: Environment | undefined
  /**
   * The seconds between two lease renewals of a run (default 10), and without a renewal until another process ends
   * the run (default 30).
   */
  readonly lease?: LeaseTimes | undefined
}

/** The options that a running server can change. */
export type ReloadOptions = Omit<
  ServerOptions,
  'storage' | 'environment' | 'log' | 'lease' | 'retention'
>
