import type { Environment, Storage } from '@braidwork/agent'
import type { Host } from '@braidwork/core'
import type { Log } from '@braidwork/plugin'
import type { Context } from 'hono'
import type { SharedLimits, StoredTokens } from './access/index.ts'
import type { ServerAgents } from './agents/index.ts'
import type { Catalog } from './catalog.ts'
import type { Identity } from './identity.ts'
import type { Limits } from './limits.ts'
import type { Metrics } from './metrics.ts'
import type { Notices, Notifier } from './notifications/index.ts'
import type { Protocol, WireLimits } from './options/index.ts'
import type { Quotas } from './quotas.ts'
import type { Compactions, RunService } from './runs/index.ts'
import type { Telemetry } from './telemetry/index.ts'
import type { Approvals, Interrupted, Turns } from './turns/index.ts'
import type { Uses } from './uses.ts'

/** The objects that all routes of a server share. */
export interface Services {
  readonly host: Host
  readonly storage: Storage
  readonly environment: Environment
  readonly catalog: Catalog
  readonly agents: ServerAgents
  readonly runs: RunService
  readonly turns: Turns
  readonly approvals: Approvals
  readonly compactions: Compactions
  readonly interrupted: Interrupted
  readonly limits: WireLimits
  readonly counts: Limits
  readonly quotas: Quotas
  readonly metrics: Metrics
  /** The limits that all servers of the storage count together. */
  readonly shared: SharedLimits
  readonly tokens: StoredTokens
  readonly uses: Uses
  readonly log: Log
  readonly heartbeat: number
  /** How long responses are kept whose requests do not say, in milliseconds. Absent if they are not kept. */
  readonly keepResponses?: number
  readonly settable: readonly string[]
  /** The plugins whose actions callers may run in their conversations. */
  readonly actions: readonly string[]
  /** The agent whose tools clients of MCP may call themselves. */
  readonly mcpTools?: string
  readonly askAllowedOn: readonly Protocol[]
  readonly notifier: Notifier
  /** Absent if the server sends no push notifications. */
  readonly notices?: Notices
  /** Absent if OpenTelemetry is told nothing. */
  readonly telemetry: Telemetry | undefined
}

/** The values that the guards derive from a request. */
export interface RouteVariables {
  identity: Identity
  /** The id of a request that began no run. Absent until something asks for it. */
  requestId?: string
}

export type RouteContext = Context<{ Variables: RouteVariables }>
