import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { Attempt } from './attempts.ts'
import { type Step, type Steps, setsProvider, withoutLists, withStep } from './edits.ts'
import type { Offering } from './offers.ts'
import { EVERYTHING, isListed, type Keys, LISTS, MODELS } from './reads.ts'

/** A choice that a step leads to, with or without a model, and the tags that are then offered. */
interface End {
  readonly step: Step
  readonly at: Attempt
  readonly offering: Offering
}

const endsOf = new WeakMap<Attempt, Promise<readonly End[]>>()

/** The edits that may change the answers of hooks that read these keys. */
export function onReaders(keys: Keys, at: Attempt): Steps {
  const { possible } = at
  if (keys.has(EVERYTHING)) return possible.all
  const isFirstModel = keys.has('model') && !possible.namesModel
  return possible.joined(
    keys.has('model') ? possible.models : [],
    keys.has('model') || keys.has('provider') ? possible.providers : [],
    keys.has(MODELS) || isFirstModel ? onModels(at) : [],
    onLists(keys, at),
  )
}

/** The edits that may change the list of models. */
export function onModels({ possible, choice, attempts }: Attempt): Steps {
  const { modelKeys } = choice
  if (modelKeys.has(EVERYTHING)) return possible.all
  return possible.joined(
    ...attempts.modelers.map((plugin) => possible.ofPlugin(plugin)),
    modelKeys.has('model') ? possible.models : [],
    possible.providers,
    onLists(modelKeys, { possible }),
  )
}

function onLists(keys: Keys, { possible }: Pick<Attempt, 'possible'>): Steps {
  const read = LISTS.filter((list) => keys.has(list))
  return possible.joined(...read.map((list) => possible.ofList(list)))
}

/** The edits that may change whether the provider provides a tag, or after which more plugins may offer it. */
export async function onTag(tag: string, at: Attempt): Promise<Steps> {
  return at.possible.joined(await onTagOfProvider(tag, at), await onOffers(tag, at))
}

/** The edits that may change whether the provider provides a tag. */
export async function onTagOfProvider(tag: string, at: Attempt): Promise<Steps> {
  const { choice, possible } = at
  if (choice.keys.has(EVERYTHING)) return possible.all
  if (!at.isChoiceFixed) {
    // The models may change, and the tags of all models are not known.
    return possible.joined(onModels(at), possible.models, onLists(choice.keys, at))
  }
  const isThere = choice.tags.includes(tag)
  return leadingTo(at, (end) => end.at.choice.tags.includes(tag) !== isThere)
}

/** The edits after which plugins other than providers may offer a tag that do not offer it now. */
async function onOffers(tag: string, at: Attempt): Promise<Steps> {
  const { keys, of } = await at.offering
  if (keys.has(EVERYTHING) || !at.isChoiceFixed) return onReaders(keys, at)
  const isChosen = keys.has('model') || keys.has('provider') || keys.has(MODELS)
  const now = new Set(of(tag))
  const isNew = (plugin: AnyPlugin) => !now.has(plugin)
  return at.possible.joined(
    isChosen ? await leadingTo(at, ({ offering }) => offering.of(tag).some(isNew)) : [],
    onLists(keys, at),
  )
}

/** Whether any plugin may offer a tag, with any provider and model. */
export async function isOffered(tag: string, at: Attempt): Promise<boolean> {
  const offers = (one: Attempt, { of }: Offering) =>
    one.choice.tags.includes(tag) || of(tag).length > 0
  if (isListed(at.choice.keys) || offers(at, await at.offering)) return true
  return (await leadingTo(at, (end) => offers(end.at, end.offering))).length > 0
}

/** The choices of a provider or a model after which a test may pass. */
async function leadingTo(at: Attempt, test: (end: End) => boolean): Promise<Steps> {
  const chosen = await at.attempts.try(withoutLists(at.steps))
  if (!chosen) return []
  const ends = endsOf.get(chosen) ?? endsFrom(chosen)
  endsOf.set(chosen, ends)
  const mayPass = (end: End) =>
    isListed(end.at.choice.keys) || end.offering.listed.size > 0 || test(end)
  return [...new Set((await ends).filter(mayPass).map(({ step }) => step))]
}

/** @param first the step that already leads there, if any */
async function endsFrom(start: Attempt, first?: Step): Promise<readonly End[]> {
  const ends: End[] = []
  for (const next of [...start.possible.models, ...start.possible.providers]) {
    const at = await start.attempts.try(withStep(start.steps, next))
    if (!at) continue
    const step = first ?? next
    ends.push({ step, at, offering: await at.offering })
    if (setsProvider([next])) ends.push(...(await endsFrom(at, step)))
  }
  return ends
}
