import { checkConfig, faultIn, fillReferences, type Variables } from '@braidwork/core/internal'
import { HostError, type JsonObject, pointerOf } from '@braidwork/plugin'
import type { OidcConfig } from '../access/index.ts'
import type { TokenIdentity } from '../identity.ts'
import { registerBuiltValidators } from './built-validators.ts'
import { hostNameFault } from './host-names.ts'
import { invalidServer, schemaError } from './server-config-faults.ts'
import type { Protocol, ServerOptions, TelemetrySettings } from './server-options.ts'
import { SERVER_SCHEMA } from './server-schema.ts'

/** The options that have the same name in a config file. */
type SameWords = Pick<
  ServerOptions,
  'models' | 'agents' | 'hosts' | 'origins' | 'limits' | 'settable' | 'actions' | 'storable'
>

/** The property `server` of a config file. */
export interface ServerConfig extends SameWords {
  readonly tokens?: readonly TokenIdentity[]
  /** Whether tokens of the storage count. The default is true if `tokens` is given, also an empty list. */
  readonly stored_tokens?: boolean
  readonly oidc?: OidcConfig
  /** `memory`, the path or `file:` address of an SQLite file, or `postgres://…`. */
  readonly store?: string
  readonly cancel_after_ms?: number
  readonly heartbeat_ms?: number
  readonly retention_days?: number
  /** In hours. */
  readonly keep_responses?: false | number
  readonly lease_seconds?: number
  readonly drain_seconds?: number
  readonly ask_allowed_on?: readonly Protocol[]
  readonly telemetry?: TelemetrySettings
  readonly push_notifications?: { readonly allow_private?: boolean }
  readonly mcp_tools?: string
  readonly base_path?: string
  /** Whether the server shows the page at `/`. The default is true. */
  readonly page?: boolean
  readonly trust_proxy?: boolean
  readonly log_content?: boolean
  readonly show_upstream_errors?: boolean
}

registerBuiltValidators()

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

/** Converts a server config to options, except `tokens` and `store`. */
export function optionsOf(config: ServerConfig): Partial<ServerOptions> {
  const { models, agents, hosts, origins, limits, settable, actions, storable } = config
  const { retention_days: days, lease_seconds: expiry, keep_responses: keep } = config
  const given: { readonly [K in keyof ServerOptions]?: ServerOptions[K] | undefined } = {
    models,
    agents,
    hosts,
    origins,
    limits,
    settable,
    actions,
    storable,
    cancelAfter: config.cancel_after_ms,
    heartbeat: config.heartbeat_ms,
    retention: days === undefined ? undefined : days * DAY,
    keepResponses: keep ? keep * HOUR : undefined,
    lease: expiry === undefined ? undefined : { expiry, heartbeat: expiry / 3 },
    askAllowedOn: config.ask_allowed_on,
    pushNotifications: notificationsOf(config),
    telemetry: config.telemetry,
    mcpTools: config.mcp_tools,
    basePath: config.base_path,
    trustsProxy: config.trust_proxy,
    logsContent: config.log_content,
    showsUpstreamErrors: config.show_upstream_errors,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function notificationsOf({
  push_notifications: given,
}: ServerConfig): ServerOptions['pushNotifications'] | undefined {
  return given && { allowPrivate: given.allow_private ?? false }
}

/**
 * Checks the `server` part of a config and fills in its `${env:NAME}` references.
 * @throws {HostError} CONFIG_INVALID, with a pointer; ENV_MISSING
 */
export async function readServerConfig(
  given: unknown,
  variables: Variables,
): Promise<ServerConfig> {
  // Wrap the value under its key, so that error pointers refer to the whole config.
  const { config: whole } = fillReferences({ server: given ?? {} }, variables)
  const config = whole['server'] as JsonObject
  const fault = await faultIn(SERVER_SCHEMA, config)
  if (fault) throw schemaError(fault, given, config)
  const checked: ServerConfig = config
  const { models = {}, tokens = [], hosts = [] } = checked
  for (const [name, model] of Object.entries(models)) checkModel(name, model.config)
  const first = new Map(tokens.map(({ token }, index) => [token, index] as const).reverse())
  const again = tokens.findIndex(({ token }, index) => first.get(token) !== index)
  if (again >= 0) throw invalidServer('the same token is listed twice', `/tokens/${again}/token`)
  const foreign = hostNameFault(hosts)
  if (foreign) throw invalidServer(foreign.message, `/hosts/${foreign.index}`)
  return checked
}

/** Checks the config of a published model like any other config. */
function checkModel(name: string, config: unknown): void {
  try {
    checkConfig(config ?? {})
  } catch (error) {
    if (!HostError.is(error)) throw error
    throw invalidServer(
      error.message,
      `${pointerOf(['models', name, 'config'])}${error.pointer ?? ''}`,
    )
  }
}
