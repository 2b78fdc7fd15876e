import type { Config } from '../../../src/plugin/config.ts'
import type { AnyPlugin } from '../../../src/plugin/plugin.ts'
import type { EnablementContext } from '../../../src/plugin/signatures.ts'

/** What the loop came to. */
export interface NaiveResult {
  readonly models: readonly string[]
  readonly tags: readonly string[]
  readonly on: readonly string[]
  readonly rounds: number
  /** By plugin that dropped out, the round that it dropped out in. */
  readonly dropped: ReadonlyMap<string, number>
}

type Hook = (...args: unknown[]) => unknown

async function ask(plugin: AnyPlugin, hook: string, ...args: unknown[]): Promise<unknown> {
  const run = plugin[hook] as Hook | undefined
  return run?.(...args)
}

/** A value of a plugin, or what its function gives. */
function listOf(plugin: AnyPlugin, name: string): readonly string[] {
  const value = plugin[name]
  return ((typeof value === 'function' ? (value as Hook)() : value) ?? []) as readonly string[]
}

const GROUPS = [
  ['extensions', 'extension'],
  ['features', 'feature'],
  ['tools', 'tool'],
] as const

/**
 * The rules of enablement as they are written, CL-02 to CL-16, with no thought for cost: everyone is
 * asked everything in every round.
 */
export async function naiveLoop(
  plugins: readonly AnyPlugin[],
  config: Config,
): Promise<NaiveResult> {
  const [provider, ...others] = plugins as [AnyPlugin, ...AnyPlugin[]]
  const { enabled_plugins: asked, disabled_plugins: disabled = [] } = config
  const forced = config.force_enabled_plugins ?? []
  const candidates = others.filter(({ name, defaultEnabled }) => {
    if (forced.includes(name)) return true
    return !disabled.includes(name) && (defaultEnabled !== false || asked?.includes(name))
  })
  let on = GROUPS.flatMap(([, kind]) => candidates.filter((plugin) => plugin.kind === kind))
  const models = await modelsOf(provider, on, config)
  const given = { ...config, ...(models[0] ? { model: config.model ?? models[0] } : {}) }
  const dropped = new Map<string, number>()
  for (let rounds = 1; ; rounds++) {
    const tags = new Set<string>()
    for (const plugin of [provider, ...on]) {
      const own = ((await ask(plugin, 'getTags', given, models)) ?? []) as readonly string[]
      for (const tag of own) tags.add(tag)
    }
    const context = contextOf(on, config)
    const verdicts = await Promise.all(
      on.map((plugin) => isOn(plugin, [given, tags, models, context], forced)),
    )
    const gone = on.filter((_, index) => !verdicts[index])
    if (gone.length === 0) {
      return { models, tags: [...tags].sort(), on: on.map(({ name }) => name), rounds, dropped }
    }
    for (const { name } of gone) dropped.set(name, rounds)
    on = on.filter((plugin) => !gone.includes(plugin))
  }
}

async function modelsOf(
  provider: AnyPlugin,
  on: readonly AnyPlugin[],
  config: Config,
): Promise<readonly string[]> {
  let models = ((await ask(provider, 'getModels', config)) ?? []) as readonly string[]
  for (const plugin of on.filter(({ kind }) => kind !== 'tool')) {
    models = ((await ask(plugin, 'getModels', config, models)) ?? models) as readonly string[]
  }
  return models
}

function contextOf(on: readonly AnyPlugin[], config: Config): EnablementContext {
  const ids = GROUPS.map(([group, kind]) => [
    group,
    on.filter((plugin) => plugin.kind === kind).map(({ name }) => name),
  ])
  return {
    enabled_plugin_ids: Object.fromEntries(ids),
    disabled_plugins: config.disabled_plugins ?? [],
    force_enabled_plugins: config.force_enabled_plugins ?? [],
  }
}

type Shown = readonly [Config, ReadonlySet<string>, readonly string[], EnablementContext]

async function isOn(plugin: AnyPlugin, shown: Shown, forced: readonly string[]): Promise<boolean> {
  if (forced.includes(plugin.name)) return true
  const verdict = await ask(plugin, 'isEnabled', ...shown)
  if (verdict === true || verdict === false) return verdict
  const [, tags] = shown
  const requires = listOf(plugin, 'requiredTags').every((tag) => tags.has(tag))
  return requires && !listOf(plugin, 'forbiddenTags').some((tag) => tags.has(tag))
}
