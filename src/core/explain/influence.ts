import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { Attempt } from './attempts.ts'
import type { Choice, Choices, Edited } from './choices.ts'
import { keyOf, type Step, type Steps, setsProvider, withoutLists, withStep } from './edits.ts'
import type { Offering, Offers } from './offers.ts'
import type { PossibleSteps } from './possible-steps.ts'
import { EVERYTHING, isListed, type Keys, LISTS, MODELS } from './reads.ts'

/** A choice that a step leads to, with or without a model, and the tags that plugins then offer. */
interface End {
  readonly step: Step
  readonly choice: Choice
  readonly offering: Offering
}

/** Finds the edits that may change the answers of hooks: tags, models, and everything that a hook reads. */
export class Influence {
  readonly #possible: PossibleSteps
  readonly #choices: Choices
  readonly #offers: Offers
  readonly #ends = new Map<string, Promise<readonly End[]>>()

  constructor(possible: PossibleSteps, choices: Choices, offers: Offers) {
    this.#possible = possible
    this.#choices = choices
    this.#offers = offers
  }

  /** The edits that may change the answers of hooks that read these keys. */
  onReaders(keys: Keys, at: Edited): Steps {
    if (keys.has(EVERYTHING)) return this.#possible.all(at)
    const isFirstModel = keys.has('model') && !this.#possible.namesModel(at.steps)
    return this.#possible.joined(
      at,
      keys.has('model') ? this.#possible.models(at) : [],
      keys.has('model') || keys.has('provider') ? this.#possible.providers(at) : [],
      keys.has(MODELS) || isFirstModel ? this.onModels(at) : [],
      this.#ofLists(keys, at),
    )
  }

  /** The edits that may change the list of models. */
  onModels(at: Edited): Steps {
    const { modelKeys } = at.choice
    if (modelKeys.has(EVERYTHING)) return this.#possible.all(at)
    return this.#possible.joined(
      at,
      ...this.#choices.modelers.map((plugin) => this.#possible.ofPlugin(plugin, at)),
      modelKeys.has('model') ? this.#possible.models(at) : [],
      this.#possible.providers(at),
      this.#ofLists(modelKeys, at),
    )
  }

  /** The edits that may change whether the provider provides a tag, or after which more plugins may offer it. */
  async onTag(tag: string, at: Attempt): Promise<Steps> {
    return this.#possible.joined(
      at,
      await this.onTagOfProvider(tag, at),
      await this.#onOffers(tag, at),
    )
  }

  /** The edits that may change whether the provider provides a tag. */
  async onTagOfProvider(tag: string, at: Edited): Promise<Steps> {
    const { choice } = at
    if (choice.keys.has(EVERYTHING)) return this.#possible.all(at)
    if (this.#choices.isFixed(choice)) {
      const isThere = choice.tags.includes(tag)
      return this.#leadingTo(at, (end) => end.choice.tags.includes(tag) !== isThere)
    }
    // The models may change, and the tags of all models are not known.
    const models = [this.onModels(at), this.#possible.models(at)]
    return this.#possible.joined(at, ...models, this.#ofLists(choice.keys, at))
  }

  /** The edits after which plugins other than providers may offer a tag that do not offer it now. */
  async #onOffers(tag: string, at: Attempt): Promise<Steps> {
    const { keys, of } = await at.offering
    if (keys.has(EVERYTHING) || !this.#choices.isFixed(at.choice)) return this.onReaders(keys, at)
    const isChosen = keys.has('model') || keys.has('provider') || keys.has(MODELS)
    const now = new Set(of(tag))
    const isNew = (plugin: AnyPlugin) => !now.has(plugin)
    return this.#possible.joined(
      at,
      isChosen ? await this.#leadingTo(at, ({ offering }) => offering.of(tag).some(isNew)) : [],
      this.#ofLists(keys, at),
    )
  }

  /** Whether any plugin may offer a tag, with any provider and model. */
  async isOffered(tag: string, at: Attempt): Promise<boolean> {
    const { choice } = at
    if (choice.tags.includes(tag) || isListed(choice.keys)) return true
    if ((await at.offering).of(tag).length > 0) return true
    const offers = (end: End) => end.choice.tags.includes(tag) || end.offering.of(tag).length > 0
    return (await this.#leadingTo(at, offers)).length > 0
  }

  #ofLists(keys: Keys, at: Edited): Steps {
    const read = LISTS.filter((list) => keys.has(list))
    return this.#possible.joined(at, ...read.map((list) => this.#possible.ofList(list, at)))
  }

  /** The choices of a provider or a model after which a test may pass. */
  async #leadingTo(at: Edited, test: (end: End) => boolean): Promise<Steps> {
    const steps = withoutLists(at.steps)
    const key = keyOf(steps)
    const known = this.#ends.get(key) ?? this.#endsFrom({ steps, choice: at.choice })
    this.#ends.set(key, known)
    const mayPass = (end: End) =>
      isListed(end.choice.keys) || end.offering.listed.size > 0 || test(end)
    return [...new Set((await known).filter(mayPass).map(({ step }) => step))]
  }

  /** @param first the step that already leads there, if any */
  async #endsFrom(at: Edited, first?: Step): Promise<readonly End[]> {
    const ends: End[] = []
    for (const next of [...this.#possible.models(at), ...this.#possible.providers(at)]) {
      const steps = withStep(at.steps, next)
      const choice = await this.#choices.of(steps)
      if (!choice) continue
      const step = first ?? next
      ends.push({ step, choice, offering: await this.#offers.at({ steps, choice }) })
      if (setsProvider([next])) ends.push(...(await this.#endsFrom({ steps, choice }, step)))
    }
    return ends
  }
}
