import type { AnyPlugin } from '@braidwork/plugin/internal'
import { hasHook } from '../hooks/index.ts'
import type { Attempt, Attempts } from './attempts.ts'
import { Offers, type Setting } from './offers.ts'
import { EVERYTHING, MODELS } from './reads.ts'
import { type Edited, joined, PossibleSteps, type Step, type Steps } from './steps.ts'

type Tags = readonly string[]
type TagTest = (tags: Tags) => boolean

const LISTS = ['enabled_plugins', 'disabled_plugins']

/** Finds the edits that may change the answers of hooks: tags, models, and everything that a hook reads. */
export class Influence {
  readonly possible: PossibleSteps
  readonly #attempts: Attempts
  /** The plugins other than providers that change the list of models. */
  readonly #modelers: readonly AnyPlugin[]
  #offers: Promise<Offers> | undefined

  constructor(attempts: Attempts) {
    const { plugins, config } = attempts.search
    this.possible = new PossibleSteps(plugins, config)
    this.#attempts = attempts
    this.#modelers = plugins.filter(canChangeModels)
  }

  /** The edits that may change the answers of hooks that read these keys. */
  async onReaders(keys: ReadonlySet<string>, at: Attempt): Promise<Steps> {
    if (keys.has(EVERYTHING)) return this.possible.all(at)
    const isModelGiven = this.#attempts.search.config.model !== undefined
    const readsModels = keys.has(MODELS) || (keys.has('model') && !isModelGiven)
    return joined(
      keys.has('provider') ? this.possible.providers(at) : [],
      keys.has('model') ? this.possible.models(at) : [],
      readsModels ? await this.onModels(at) : [],
      ...LISTS.map((list) => (keys.has(list) ? this.possible.ofList(list, at) : [])),
    )
  }

  /** The edits that may change the list of models. */
  async onModels(at: Attempt): Promise<Steps> {
    const keys = new Set<string>()
    for (const plugin of [at.resolved.plugins.provider, ...this.#modelers]) {
      for (const key of (await at.readsOf(plugin)).keys) keys.add(key)
    }
    const readsModel = keys.delete('model')
    keys.delete(MODELS)
    return joined(
      ...this.#modelers.map((plugin) => this.possible.ofPlugin(plugin, at)),
      this.possible.providers(at),
      readsModel ? this.possible.models(at) : [],
      await this.onReaders(keys, at),
    )
  }

  /** The edits after which the tags of the provider may pass a test. */
  async onProvider(at: Attempt, test: TagTest): Promise<Steps> {
    const { provider } = at.resolved.plugins
    const readers = await this.onReaders((await at.readsOf(provider)).keys, at)
    const lists = readers.filter(({ edit }) => edit.edit !== 'set')
    // Where plugins change the list of models, the tags of all models are not known.
    if (this.#modelers.length > 0) {
      return joined(await this.onModels(at), this.possible.models(at), lists)
    }
    const found: Step[] = []
    for (const step of this.possible.models(at)) {
      const model = 'model' in step.edit ? step.edit.model : undefined
      if (await this.#mayPass(provider, settingOf(at, model), test)) found.push(step)
    }
    for (const step of this.possible.providers(at)) {
      const other = await this.#attempts.try([step])
      // A provider that lists no models may have other tags with each model.
      const isOpen = other?.resolved.resolution.models.length === 0
      if (other && (isOpen || (await this.#passesOnce(other, test)))) found.push(step)
    }
    return joined(found, lists)
  }

  /** Whether the provider, or another one, provides a tag with any of its models. */
  async isOfProvider(tag: string, at: Attempt): Promise<boolean> {
    if (await this.#passesOnce(at, (tags) => tags.includes(tag))) return true
    for (const step of this.possible.providers(at)) {
      const other = await this.#attempts.try([step])
      if (other && (await this.#passesOnce(other, (tags) => tags.includes(tag)))) return true
    }
    return false
  }

  /** The plugins that provide a tag, without providers, and the edits that may make others provide it. */
  async offering(tag: string, at: Attempt) {
    const { plugins, keys } = await (await this.#allOffers()).offering(tag, settingOf(at))
    return { plugins, steps: await this.onReaders(keys, at) }
  }

  /** Whether the tags of the provider pass a test with any of its models. */
  async #passesOnce(at: Attempt, test: TagTest): Promise<boolean> {
    const { provider } = at.resolved.plugins
    for (const model of [undefined, ...at.resolved.resolution.models]) {
      if (await this.#mayPass(provider, settingOf(at, model), test)) return true
    }
    return false
  }

  async #mayPass(provider: AnyPlugin, at: Setting, test: TagTest): Promise<boolean> {
    const { tags, keys } = await (await this.#allOffers()).ofProvider(provider, at)
    return test(tags) || [EVERYTHING, ...LISTS].some((key) => keys.has(key))
  }

  #allOffers(): Promise<Offers> {
    const { search } = this.#attempts
    this.#offers ??= Offers.of(search, settingOf(search))
    return this.#offers
  }
}

/** The config of a resolution, with another model if one is given. */
function settingOf({ resolved }: Pick<Edited, 'resolved'>, model?: string): Setting {
  const { config, resolution } = resolved
  return { config: model === undefined ? config : { ...config, model }, models: resolution.models }
}

/** Whether a plugin other than a provider changes the list of models. One that cannot be read takes no part. */
function canChangeModels(plugin: AnyPlugin): boolean {
  try {
    return ['extension', 'feature'].includes(plugin.kind) && hasHook(plugin, 'getModels')
  } catch {
    return false
  }
}
