import { applyEdits, type Edit } from '../../src/core/explain/index.ts'
import type { Config } from '../../src/plugin/config.ts'
import type { AnyPlugin } from '../../src/plugin/plugin.ts'
import { namesOn, resolutionOf } from './plugins.ts'

export const enable = (plugin: string): Edit => ({ edit: 'add', list: 'enabled_plugins', plugin })
export const disable = (plugin: string): Edit => ({ edit: 'add', list: 'disabled_plugins', plugin })
export const release = (plugin: string): Edit => ({
  edit: 'remove',
  list: 'disabled_plugins',
  plugin,
})
export const choose = (model: string): Edit => ({ edit: 'set', key: 'model', model })
export const ask = (name: string, model?: string): Edit => ({
  edit: 'set',
  key: 'provider',
  provider: name,
  ...(model === undefined ? {} : { model }),
})

type Edits = readonly Edit[]

/** For each plugin, the sets of edits of lists that one may make. */
function listEdits(plugins: readonly AnyPlugin[], config: Config): (readonly Edits[])[] {
  const others = plugins.filter(({ kind }) => kind !== 'provider')
  return others.map(({ name, defaultEnabled }) => {
    const isAsked = config.enabled_plugins?.includes(name) ?? false
    const isDisabled = config.disabled_plugins?.includes(name) ?? false
    const enabling = defaultEnabled === false && !isAsked ? [[], [enable(name)]] : [[]]
    const toggled = isDisabled ? release(name) : disable(name)
    return enabling.flatMap((edits) => [edits, [...edits, toggled]])
  })
}

/** All sets of edits: every choice for each plugin, each model, each other provider with each of its models. */
function allSets(plugins: readonly AnyPlugin[], config: Config, current: string, models: string[]) {
  const providers = plugins.filter(({ kind, name }) => kind === 'provider' && name !== current)
  const choices = [
    ...listEdits(plugins, config),
    [
      [],
      ...models.map((model) => [choose(model)]),
      ...providers.flatMap(({ name }) => [
        [ask(name)],
        ...models.map((model) => [ask(name, model)]),
      ]),
    ],
  ]
  return choices.reduce<readonly Edits[]>(
    (sets, ways) => sets.flatMap((set) => ways.map((way) => [...set, ...way])),
    [[]],
  )
}

/** The place of the model that edits choose, in the list that is offered without it. Below 0 if it is not offered. */
async function placeOf(plugins: readonly AnyPlugin[], config: Config, edits: Edits) {
  const [lists, [set]] = [edits.filter(isOfList), edits.filter((edit) => !isOfList(edit))]
  if (set?.edit !== 'set') return 0
  const unnamed = set.key === 'provider' ? [...lists, ask(set.provider)] : lists
  const { models } = await resolutionOf(plugins, applyEdits(config, unnamed))
  // If the config names a model, so must a choice of a provider that lists models.
  if (set.model === undefined) return config.model === undefined || models.length === 0 ? 0 : -1
  const edited = await resolutionOf(plugins, applyEdits(config, edits))
  return edited.models.includes(set.model) ? models.indexOf(set.model) : -1
}

function isOfList({ edit }: Edit): boolean {
  return edit !== 'set'
}

/** A set of edits that turns a plugin on, and the place of its model in the provider's list. */
interface Way {
  readonly edits: Edits
  readonly place: number
}

/** The smallest sets, and of those that choose a provider and differ in the model only the first by its list. */
function smallest(ways: readonly Way[]): readonly Edits[] {
  const size = Math.min(...ways.map(({ edits }) => edits.length))
  const first = new Map<string, Edits>()
  const sorted = ways.toSorted((one, other) => one.place - other.place)
  for (const { edits } of sorted.filter((way) => way.edits.length === size)) {
    const key = JSON.stringify(
      edits.map((edit) => ('provider' in edit ? { ...edit, model: 'any' } : edit)),
    )
    if (!first.has(key)) first.set(key, edits)
  }
  return [...first.values()]
}

/** By trying every set of at most four edits: for each plugin the smallest that turn it on. */
export async function bruteForce(plugins: readonly AnyPlugin[], config: Config, models: string[]) {
  const turning = new Map<string, Way[]>()
  const { provider: current } = await resolutionOf(plugins, config)
  for (const edits of allSets(plugins, config, current, models)) {
    if (edits.length > 4) continue
    const resolution = await resolutionOf(plugins, applyEdits(config, edits))
    const place = await placeOf(plugins, config, edits)
    if (place < 0) continue
    for (const name of [...namesOn(resolution), resolution.provider]) {
      const ways = turning.get(name)
      if (ways) ways.push({ edits, place })
      else turning.set(name, [{ edits, place }])
    }
  }
  return (name: string) => {
    const ways = turning.get(name)
    return ways ? smallest(ways) : null
  }
}
