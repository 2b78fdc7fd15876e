import type { Config } from '@braidwork/plugin'

/** One edit of a config: an id added to a list or removed from it, another model, or another provider. */
export type Edit =
  | {
      readonly edit: 'add'
      readonly list: 'enabled_plugins' | 'disabled_plugins'
      readonly plugin: string
    }
  | { readonly edit: 'remove'; readonly list: 'disabled_plugins'; readonly plugin: string }
  | { readonly edit: 'set'; readonly key: 'model'; readonly model: string }
  | {
      readonly edit: 'set'
      readonly key: 'provider'
      readonly provider: string
      /** The model to set with the provider. If it is absent, the edited config names no model. */
      readonly model?: string
    }

/** Applies edits to a config. */
export function applyEdits(config: Config, edits: readonly Edit[]): Config {
  return edits.reduce(applyEdit, config)
}

function applyEdit(config: Config, edit: Edit): Config {
  if (edit.edit !== 'set') return withList(config, edit)
  if (edit.key === 'model') return { ...config, model: edit.model }
  const { model: _, ...others } = config
  const { provider, model } = edit
  return { ...others, provider, ...(model === undefined ? {} : { model }) }
}

function withList(config: Config, edit: Exclude<Edit, { edit: 'set' }>): Config {
  const list = config[edit.list] ?? []
  const changed =
    edit.edit === 'add' ? [...list, edit.plugin] : list.filter((id) => id !== edit.plugin)
  return { ...config, [edit.list]: changed }
}

/** An edit with its place among all edits: those of plugins, in registration order, then models, then providers. */
export interface Step {
  readonly edit: Edit
  readonly rank: number
}

/** A set of steps, sorted by rank. In a set that chooses another provider, a model is one of that provider. */
export type Steps = readonly Step[]

/** The edits that a set of steps stands for. A provider with a model is one edit. */
export function editsOf(steps: Steps): readonly Edit[] {
  const edits = steps.map(({ edit }) => edit)
  const [model, provider] = edits.filter((edit) => edit.edit === 'set')
  if (model?.key !== 'model' || provider?.key !== 'provider') return edits
  return [...edits.slice(0, -2), { ...provider, model: model.model }]
}

/** Identifies a set of steps. */
export function keyOf(steps: Steps): string {
  return JSON.stringify(steps.map(({ edit }) => edit))
}

/** Adds a step to a set. */
export function withStep(steps: Steps, step: Step): Steps {
  return [...steps, step].sort((one, other) => one.rank - other.rank)
}

/** The steps of a set that choose a provider or a model. */
export function withoutLists(steps: Steps): Steps {
  return steps.filter(({ edit }) => edit.edit === 'set')
}

export function withoutModel(steps: Steps): Steps {
  return steps.filter(({ edit }) => !('model' in edit))
}

export function setsProvider(steps: Steps): boolean {
  return steps.some(({ edit }) => 'provider' in edit)
}

export function setsModel(steps: Steps): boolean {
  return steps.some(({ edit }) => 'model' in edit)
}
