import type { Environment } from '@braidwork/agent'
import type { Log } from '@braidwork/plugin'
import { SharedLimits, StoredTokens } from './access/index.ts'
import { serverAgents } from './agents/index.ts'
import { Catalog, type CatalogParts } from './catalog.ts'
import type { Services } from './context.ts'
import { Limits } from './limits.ts'
import { measuredStorage } from './measured-storage.ts'
import { Metrics } from './metrics.ts'
import { Notices, Notifier } from './notifications/index.ts'
import { DEFAULT_HEARTBEAT, DEFAULT_WIRE_LIMITS, type ServerOptions } from './options/index.ts'
import { keepingHost } from './own-storage.ts'
import { tellPolicies } from './policy-faults.ts'
import { type PublishedModel, publishedModels } from './published.ts'
import { Quotas } from './quotas.ts'
import { Compactions, type DoneRun, RunService } from './runs/index.ts'
import { assertModelSettings } from './settings/index.ts'
import { Telemetry } from './telemetry/index.ts'
import { Approvals, Interrupted, Turns } from './turns/index.ts'
import { Uses } from './uses.ts'

/** Milliseconds without a reader after which a run of a conversation is stopped, by default. */
export const CANCEL_AFTER = 30_000

/** The state of a server that its options do not change. */
async function stateOf(
  { storage: given }: ServerOptions,
  environment: Environment,
  log: Log,
): Promise<Pick<Services, 'storage' | 'metrics' | 'shared' | 'tokens' | 'notifier'>> {
  const metrics = await Metrics.create()
  const storage = measuredStorage(given, (name, took) => metrics.addStorage(name, took))
  const parts = { storage, environment, log }
  return {
    storage,
    metrics,
    shared: new SharedLimits(parts),
    tokens: new StoredTokens(parts),
    notifier: new Notifier(parts),
  }
}

function noticesOf(
  { pushNotifications }: ServerOptions,
  notifier: Notifier,
): Pick<Services, 'notifier' | 'notices'> {
  if (!pushNotifications) return { notifier }
  return { notifier, notices: new Notices(notifier, pushNotifications) }
}

/** Makes the services of a server. @param earlier the services whose state the new ones go on with */
export async function servicesOf(
  options: ServerOptions,
  environment: Environment,
  log: Log,
  earlier?: Services,
): Promise<Services> {
  const { askAllowedOn = [], settable = [], cancelAfter = CANCEL_AFTER, mcpTools } = options
  const { storage, metrics, shared, tokens, notifier } =
    earlier ?? (await stateOf(options, environment, log))
  const limits = { ...DEFAULT_WIRE_LIMITS, ...options.limits }
  const models = await modelsOf(options, log)
  const agents = await serverAgents(options, { storage, environment, log, models })
  const catalog = await catalogOf(options, { models, ...agents }, log)
  const counts = new Limits(limits, () => environment.elapsed(), earlier?.counts)
  const quotas = new Quotas(storage, limits)
  const uses = new Uses()
  const kept = { storage, metrics, shared, tokens, uses, ...noticesOf(options, notifier) }
  const telemetry = await telemetryOf(options, log)
  const host = keepingHost(options.host, storage)
  const parts = { ...kept, telemetry, host, environment, catalog, askAllowedOn, log, quotas }
  const work = {
    ...parts,
    ...workOptionsOf(options),
    limits: counts,
    attachments: limits.attachments,
  }
  const onRunDone = (done: DoneRun) => compactions.afterRun(done)
  const runs = new RunService({ ...work, onRunDone }, earlier?.runs)
  const compactions = new Compactions({ ...parts, runs }, earlier?.compactions)
  const waiting = { storage, environment, runs, log, cancelAfter }
  const approvals = new Approvals(waiting)
  const turns = new Turns({ ...waiting, catalog, approvals, quotas })
  return {
    ...parts,
    agents,
    runs,
    turns,
    approvals,
    compactions,
    interrupted: new Interrupted({ ...waiting, host, catalog }),
    limits,
    counts,
    heartbeat: options.heartbeat ?? DEFAULT_HEARTBEAT,
    ...(options.keepResponses === undefined ? {} : { keepResponses: options.keepResponses }),
    settable,
    actions: options.actions ?? [],
    ...(mcpTools === undefined ? {} : { mcpTools }),
  }
}

/** @throws {HostError} SETTINGS_INVALID, and the errors of resolving configs */
async function modelsOf(options: ServerOptions, log: Log): Promise<readonly PublishedModel[]> {
  const { host, models, settable, config } = options
  const published = await publishedModels(host, models, log)
  // What a program adds for each request may complete the settings.
  if (models && !config) await assertModelSettings(host, models, { settable })
  return published
}

/** @throws {HostError} OPTION_INVALID, STORAGE_FAILED */
async function catalogOf(
  { host, models, mcpTools }: ServerOptions,
  parts: CatalogParts,
  log: Log,
): Promise<Catalog> {
  const catalog = new Catalog(parts)
  // Of the host's own config the program knows its faults already.
  if (models) await tellPolicies(host, parts, log)
  if (mcpTools !== undefined) await catalog.assertHasToolsOf(mcpTools)
  return catalog
}

function telemetryOf({ telemetry }: ServerOptions, log: Log) {
  return telemetry ? Telemetry.create(telemetry, log) : undefined
}

/** The options that runs take as they are. */
function workOptionsOf(options: ServerOptions) {
  const { lease, logsContent = false, showsUpstreamErrors = false } = options
  return { perRequest: options, logsContent, showsUpstreamErrors, ...(lease ? { lease } : {}) }
}
