import { type ConfigLayer, type Host, mergeLayers } from '@braidwork/core'
import { idleTools, namedTools, unusedPolicies } from '@braidwork/core/internal'
import { type Diagnostic, HostError, type Log } from '@braidwork/plugin'
import { asSentence, withMessage } from '@braidwork/plugin/internal'
import { withoutHostTools } from './plain-model.ts'

/** A model name that clients may request, with the config that it stands for. */
export interface PublishedModel {
  readonly name: string
  readonly title?: string
  readonly config: ConfigLayer
  /** Whether the model has no tools, regardless of the request and of the caller's settings. */
  readonly isPlain?: true
  /** `none`: the model has no tools of the host. A client may bring its own. */
  readonly host_tools?: 'none'
  /** Whether it is left out where agents are tools: a plain variant, or a model that the config does not name. */
  readonly isMinor?: true
}

/** Published models as a config file defines them, by name. */
export interface PublishedModels {
  readonly [name: string]: {
    readonly title?: string
    readonly config?: ConfigLayer
    /** `none`: the model is offered no tools of the host. */
    readonly host_tools?: 'none'
  }
}

/** The suffix of a plain model's name. A plain model has no tools; chat UIs use it to generate titles and tags. */
const PLAIN = '-plain'

/**
 * Returns the models that a server publishes, and a plain variant of each that answers. If none are configured, these are
 * the models of the provider in the host's config.
 */
export async function publishedModels(
  host: Host,
  given: PublishedModels | undefined,
  log: Log,
): Promise<readonly PublishedModel[]> {
  const named = given ? fromConfig(host, given) : await fromProvider(host)
  await tellFaults(host, named, given ? { log } : { log, isOwn: true })
  const taken = new Set(named.map(({ name }) => name))
  const plain = named.filter(hasPlain).map((model) => plainOf(host, model))
  return [...named, ...plain.filter(({ name }) => !taken.has(name))]
}

interface Telling {
  readonly log: Log
  /** Whether the models have the host's own config, whose diagnostics the program has already. */
  readonly isOwn?: true
}

/**
 * Logs the faults in the models' configs, and the tools that offer nothing. A fault of the host's own config affects all
 * models but is logged once.
 */
async function tellFaults(
  host: Host,
  models: readonly PublishedModel[],
  { log, isOwn }: Telling,
): Promise<void> {
  const told = new Set<string>()
  for (const { name, config } of isOwn ? models.slice(0, 1) : models) {
    const faults = isOwn ? [] : await ofModel(name, configFaults(host, config))
    for (const { level, code, message } of [
      ...faults,
      ...(await startingToolFaults(host, config)),
    ]) {
      if (level === 'info' || told.has(message)) continue
      told.add(message)
      log({ level: 'warn', message: `Model "${name}": ${message}`, code })
    }
  }
}

async function ofModel<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!HostError.is(error)) throw error
    throw withMessage(
      error,
      `The model "${name}" cannot be published: ${asSentence(error.message)}`,
    )
  }
}

function fromConfig(host: Host, given: PublishedModels): readonly PublishedModel[] {
  return Object.entries(given).map(([name, { title, config = {}, host_tools }]) => ({
    name,
    ...(title === undefined ? {} : { title }),
    ...(host_tools === 'none'
      ? { host_tools, config: withoutHostTools(host, config) }
      : { config }),
  }))
}

async function fromProvider(host: Host): Promise<readonly PublishedModel[]> {
  const { provider, model, models } = await host.resolve()
  const first = model === undefined ? [] : [model]
  const names = [...new Set([...first, ...models])]
  if (names.length === 0) return [{ name: provider, config: {} }]
  return names.map((name, at) => ({
    name,
    config: { model: name },
    ...(at === 0 ? {} : { isMinor: true as const }),
  }))
}

/** The names of models that only make embeddings, such as `text-embedding-3-small` and `nomic-embed-text`. */
const EMBEDS = /(?:^|[-_/:])embed/i

/** Whether a model has a plain variant. One that only makes embeddings has no use for it. */
function hasPlain({ name, config }: PublishedModel): boolean {
  return !EMBEDS.test(config.model ?? name)
}

function plainOf(host: Host, model: PublishedModel): PublishedModel {
  return {
    name: `${model.name}${PLAIN}`,
    ...(model.title === undefined ? {} : { title: `${model.title} (plain)` }),
    config: withoutHostTools(host, model.config),
    isPlain: true,
    isMinor: true,
  }
}

/**
 * Returns the diagnostics for the config of a published model, or for the host's own config. Policies and names for tools
 * in the host's own config are for all that is published: `policyFaults` judges them.
 */
export async function configFaults(
  host: Host,
  config: ConfigLayer = {},
): Promise<readonly Diagnostic[]> {
  const { diagnostics } = await host.resolve(config)
  const { tool_policy: policies, tool_names: names } = config
  if (!policies && !names) return diagnostics
  const own = mergeLayers({ tool_policy: policies ?? {}, tool_names: names ?? {} })
  const tools = namedTools(await host.toolSchemas(config, { inventory: true }))
  return [...diagnostics, ...untold(unusedPolicies(own, tools), diagnostics)]
}

/** The faults at places of which nothing is told yet. */
export function untold(
  faults: readonly Diagnostic[],
  before: readonly Diagnostic[],
): readonly Diagnostic[] {
  const told = new Set(before.map(({ pointer }) => pointer))
  return faults.filter(({ pointer }) => !told.has(pointer))
}

/**
 * Warns of the tool plugins that offer no tool for the config of a published model, or for the host's own config.
 * Settings that are not valid are not reported here.
 */
export async function toolFaults(host: Host, config?: ConfigLayer): Promise<readonly Diagnostic[]> {
  try {
    return idleTools(await host.toolSchemas(config, { inventory: true }))
  } catch (error) {
    if (HostError.is(error) && error.code === 'SETTINGS_INVALID') return []
    throw error
  }
}

/** A tool that fails when it is asked for its schemas does not prevent the server from starting. */
async function startingToolFaults(host: Host, config: ConfigLayer): Promise<readonly Diagnostic[]> {
  try {
    return await toolFaults(host, config)
  } catch (error) {
    if (!HostError.is(error)) throw error
    return [{ code: error.code, level: 'warning', message: error.message }]
  }
}

/** Returns the names of all models that a server publishes, plain variants included. */
export async function publishedNames(
  host: Host,
  given: PublishedModels | undefined,
): Promise<readonly string[]> {
  const named = given ? fromConfig(host, given) : await fromProvider(host)
  return named.flatMap((model) =>
    hasPlain(model) ? [model.name, `${model.name}${PLAIN}`] : [model.name],
  )
}
