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
