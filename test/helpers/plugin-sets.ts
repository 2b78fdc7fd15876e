import fc from 'fast-check'
import type { Config } from '../../src/plugin/config.ts'
import type { AnyPlugin } from '../../src/plugin/plugin.ts'
import type { EnablementContext } from '../../src/plugin/signatures.ts'

/** A host's plugins, the provider first, and a config: few tags, many plugins that speak of them. */
export interface PluginSet {
  readonly plugins: readonly AnyPlugin[]
  readonly config: Config
}

const tag = fc.constantFrom('t0', 't1', 't2', 't3', 't4', 't5')
const model = fc.constantFrom('m0', 'm1', 'm2')
const some = <T>(item: fc.Arbitrary<T>, maxLength: number) => fc.uniqueArray(item, { maxLength })
const rarely = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 1 })

const verdict = fc.record({
  held: fc.constantFrom('tag', 'model', 'plugin', 'config'),
  name: fc.constantFrom('t0', 't1', 'm0', 'x0', 'x1', 'x2', 'strict'),
  whenHeld: fc.constantFrom<unknown>(true, false, undefined, null, 1),
  otherwise: fc.constantFrom<unknown>(true, false, undefined, 'yes'),
})

const declared = fc.record({
  kind: fc.constantFrom('extension' as const, 'feature' as const, 'tool' as const),
  tags: some(tag, 1),
  requires: fc.oneof(
    { weight: 3, arbitrary: some(tag, 1) },
    { weight: 1, arbitrary: some(tag, 2) },
  ),
  forbids: rarely(some(tag, 1)),
  isOff: fc.constantFrom(false, false, false, true),
  isAsync: fc.boolean(),
  verdict: rarely(verdict),
  adds: rarely(model),
  tagOfModel: rarely(fc.tuple(model, tag)),
})
type Declared = typeof declared extends fc.Arbitrary<infer T> ? T : never

function build(own: Declared, name: string): AnyPlugin {
  const later = <T>(value: T): T | Promise<T> => (own.isAsync ? Promise.resolve(value) : value)
  const [needs, extra] = own.tagOfModel ?? []
  return {
    kind: own.kind,
    name,
    defaultEnabled: !own.isOff,
    requiredTags: own.isAsync ? () => own.requires : own.requires,
    forbiddenTags: own.forbids ?? [],
    getTags: (_config: Config, models: readonly string[]) =>
      later(needs && models.includes(needs) ? [...own.tags, extra] : own.tags),
    ...(own.adds && own.kind !== 'tool'
      ? {
          getModels: (_config: Config, models: readonly string[]) =>
            later(models.includes(own.adds!) ? models : [...models, own.adds]),
        }
      : {}),
    ...(own.verdict ? { isEnabled: verdictOf(own.verdict, later) } : {}),
  }
}

function verdictOf(
  { held, name, whenHeld, otherwise }: NonNullable<Declared['verdict']>,
  later: (value: unknown) => unknown,
) {
  const holds = {
    tag: (_: Config, tags: ReadonlySet<string>) => tags.has(name),
    model: (_: Config, __: unknown, models: readonly string[]) => models.includes(name),
    plugin: (
      _: Config,
      __: unknown,
      ___: unknown,
      { enabled_plugin_ids: ids }: EnablementContext,
    ) => [...ids.extensions, ...ids.features, ...ids.tools].includes(name),
    config: (config: Config) => config[name] === true,
  }[held]
  return (...args: [Config, ReadonlySet<string>, readonly string[], EnablementContext]) =>
    later(holds(...args) ? whenHeld : otherwise)
}

/** Sets of up to `most` plugins beside the provider. */
export function pluginSet(most: number): fc.Arbitrary<PluginSet> {
  return fc
    .record({
      others: fc.array(declared, { maxLength: most, size: 'max' }),
      tags: some(tag, 2),
      models: some(model, 2),
      lists: fc.record({ enabled_plugins: ids, disabled_plugins: ids, force_enabled_plugins: ids }),
      strict: fc.boolean(),
    })
    .map(({ others, tags, models, lists, strict }) => {
      const provider: AnyPlugin = {
        kind: 'provider',
        name: 'p',
        getTags: () => tags,
        getModels: () => models,
        stream: () => [],
      }
      return {
        plugins: [provider, ...others.map((own, index) => build(own, `x${index}`))],
        config: { ...lists, ...(strict ? { strict } : {}) },
      }
    })
}

const ids = some(fc.constantFrom('x0', 'x1', 'x2', 'x3', 'x4'), 2)
