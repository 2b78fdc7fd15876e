import { createRuntime, type Environment, type Storage } from '@braidwork/agent'
import { HostError, type Log } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { ServerOptions } from '../options/index.ts'
import type { PublishedModel } from '../published.ts'
import { DeclaredAgents } from './declared-agents.ts'
import { StorableRules } from './storable.ts'
import { StoredSpecs } from './stored-specs.ts'
import { Trial } from './trial.ts'

/** The agents of a server, beside its published models. */
export interface ServerAgents {
  readonly declared: DeclaredAgents
  /** The specs that admins stored. */
  readonly stored: StoredSpecs
  readonly trial: Trial
}

export interface ServerAgentsParts {
  readonly storage: Storage
  readonly environment: Environment
  readonly log: Log
  readonly models: readonly PublishedModel[]
}

/**
 * Makes the agents of a server from its options, and logs those that cannot run.
 * @throws {HostError} OPTION_INVALID
 */
export async function serverAgents(
  { host, runtime: given, agents: published, settable = [], storable = [] }: ServerOptions,
  { storage, environment, log, models }: ServerAgentsParts,
): Promise<ServerAgents> {
  const runtime = given ?? (await createRuntime({ host }))
  if (runtime.host !== host) {
    const message = 'The runtime must be made by createRuntime for the host of the server.'
    throw new HostError('OPTION_INVALID', message, { pointer: '/runtime' })
  }
  const names = new Set(models.map(({ name }) => name))
  const declared = new DeclaredAgents({ runtime, published, models: names })
  const providers = new Set([
    ...[host.config, ...models.map(({ config }) => config)].flatMap(
      ({ provider }) => provider ?? [],
    ),
    ...(await defaultProvider({ host })),
    ...runtime.models.map(({ provider_id: provider }) => provider),
  ])
  const rules = new StorableRules({ host, providers, settable: [...settable, ...storable] })
  const stored = new StoredSpecs({ storage, environment, declared, rules })
  await declared.tell(log)
  await tellStored(stored, log)
  return { declared, stored, trial: new Trial({ host, declared, stored, models: names }) }
}

/** The provider of the host's config. Empty if the config names none, and several are registered. */
async function defaultProvider({ host }: Pick<ServerOptions, 'host'>): Promise<readonly string[]> {
  try {
    return [(await host.resolve()).provider]
  } catch (error) {
    if (HostError.is(error)) return []
    throw error
  }
}

/** Logs the stored agents that the server cannot run, for example because its config has changed. */
async function tellStored(stored: StoredSpecs, log: Log): Promise<void> {
  try {
    for (const { id } of await stored.agents()) await tellOf(id, stored, log)
  } catch (error) {
    log({ level: 'error', message: `Stored agents could not be read: ${messageOf(error)}` })
  }
}

async function tellOf(id: string, stored: StoredSpecs, log: Log): Promise<void> {
  try {
    await stored.plan(id)
  } catch (error) {
    if (!HostError.is(error) || error.code === 'STORAGE_FAILED') throw error
    const { code, message } = error
    log({ level: 'warn', message: `The stored agent "${id}" cannot run: ${message}`, code })
  }
}
