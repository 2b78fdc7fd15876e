import type { Config } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { Choice, Edited } from './choice.ts'
import { isOff } from './declared.ts'
import { type Step, type Steps, setsModel, setsProvider } from './edits.ts'

/** The ranks of models are lower, and those of providers are not. */
const FIRST_PROVIDER = 2 ** 40

export type FirstSteps = ReturnType<typeof firstSteps>

/** The steps from an unchanged config, without its models. */
export function firstSteps(plugins: readonly AnyPlugin[], config: Config) {
  const enabled = new Set(config.enabled_plugins)
  const disabled = new Set(config.disabled_plugins)
  const ofPlugins = new Map<AnyPlugin, Steps>()
  const providers: Step[] = []
  for (const [at, plugin] of plugins.entries()) {
    const { name: provider } = plugin
    if (plugin.kind !== 'provider') ofPlugins.set(plugin, listSteps(plugin, at, enabled, disabled))
    else
      providers.push({
        edit: { edit: 'set', key: 'provider', provider },
        rank: FIRST_PROVIDER + at,
      })
  }
  const ofLists = [...ofPlugins.values()].flat()
  const isModelNamed = config.model !== undefined
  return { ofPlugins, ofLists, providers, firstModel: 2 * plugins.length, isModelNamed }
}

type Ids = ReadonlySet<string>

function listSteps(plugin: AnyPlugin, at: number, enabled: Ids, disabled: Ids): Steps {
  const { name } = plugin
  const edit = disabled.has(name) ? 'remove' : 'add'
  const disable: Step = {
    edit: { edit, list: 'disabled_plugins', plugin: name },
    rank: 2 * at + 1,
  }
  if (!isOff(plugin) || enabled.has(name)) return [disable]
  return [{ edit: { edit: 'add', list: 'enabled_plugins', plugin: name }, rank: 2 * at }, disable]
}

/** The steps that are still possible for an edited config. None undoes another. */
export class PossibleSteps {
  readonly #first: FirstSteps
  readonly #steps: Steps
  readonly #choice: Choice
  #all: Steps | undefined

  constructor(first: FirstSteps, { steps, choice }: Edited) {
    this.#first = first
    this.#steps = steps
    this.#choice = choice
  }

  get all(): Steps {
    this.#all ??= [...this.#unused(this.#first.ofLists), ...this.models, ...this.providers]
    return this.#all
  }

  /** Joins lists of steps, each step once. */
  joined(...lists: readonly Steps[]): Steps {
    // Plugins that read everything make it frequent that one of the lists has all steps.
    if (this.#all && lists.includes(this.#all)) return this.#all
    const filled = new Set(lists.filter(({ length }) => length > 0))
    const [first = []] = filled
    if (filled.size <= 1) return first
    return [...new Map([...filled].flat().map((step) => [step.rank, step])).values()]
  }

  /** The steps for a list of ids. */
  ofList(list: string): Steps {
    return this.#unused(this.#first.ofLists).filter(isIn(list))
  }

  /** The steps for a plugin in the lists of ids, or in one list. */
  ofPlugin(plugin: AnyPlugin, list?: string): Steps {
    const steps = this.#unused(this.#first.ofPlugins.get(plugin) ?? [])
    return list === undefined ? steps : steps.filter(isIn(list))
  }

  get providers(): Steps {
    if (setsProvider(this.#steps) || setsModel(this.#steps)) return []
    const { name } = this.#choice.provider
    return this.#first.providers.filter(({ edit }) => 'provider' in edit && edit.provider !== name)
  }

  get models(): Steps {
    if (setsModel(this.#steps)) return []
    const { firstModel, isModelNamed } = this.#first
    const { model, models } = this.#choice
    // If the config names a model, a set with another provider names one too, even its first.
    const isNamed = this.namesModel || !isModelNamed
    const steps = models.map((id, at): Step => {
      return { edit: { edit: 'set', key: 'model', model: id }, rank: firstModel + at }
    })
    return isNamed ? steps.filter((_, at) => models[at] !== model) : steps
  }

  /** Whether the edited config names a model. */
  get namesModel(): boolean {
    return setsModel(this.#steps) || (this.#first.isModelNamed && !setsProvider(this.#steps))
  }

  /** Whether the provider offers the model that the edits choose, and they name one if the config does. */
  get isModelDone(): boolean {
    const { model = '', models } = this.#choice
    if (setsModel(this.#steps)) return models.includes(model)
    return !setsProvider(this.#steps) || models.length === 0 || !this.#first.isModelNamed
  }

  #unused(all: Steps): Steps {
    return all.filter(({ rank }) => !this.#steps.some((step) => step.rank === rank))
  }
}

function isIn(list: string): (step: Step) => boolean {
  return ({ edit }) => 'list' in edit && edit.list === list
}
