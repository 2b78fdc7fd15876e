import { t } from '../words/index.ts'
import type { Edit } from './documents.ts'

/** An edit in words. */
export function changeText(edit: Edit): string {
  if (edit.edit === 'add') return t('whyAdd', { plugin: edit.plugin, list: edit.list })
  if (edit.edit === 'remove') return t('whyRemove', { plugin: edit.plugin, list: edit.list })
  if (edit.key === 'model') return t('whySetModel', { model: edit.model })
  const { provider, model } = edit
  return model === undefined
    ? t('whySetProvider', { provider })
    : t('whySetBoth', { provider, model })
}

type List = 'enabled_plugins' | 'disabled_plugins'
type ListChange = { readonly [action in 'add' | 'remove']?: readonly string[] }

/** A part of a config, as a layer over the config that it changes. */
export type ConfigPart = { readonly [list in List]?: ListChange } & {
  readonly provider?: string
  readonly model?: string
}

/** Edits as a part of a config. Lists are changed, not replaced. */
export function changeConfig(edits: readonly Edit[]): ConfigPart {
  return edits.reduce<ConfigPart>(withEdit, {})
}

function withEdit(part: ConfigPart, edit: Edit): ConfigPart {
  if (edit.edit === 'set') {
    const { edit: _, key: __, ...values } = edit
    return { ...part, ...values }
  }
  const { edit: action, list, plugin } = edit
  const changed = part[list] ?? {}
  return { ...part, [list]: { ...changed, [action]: [...(changed[action] ?? []), plugin] } }
}

/** JSON of a config, in which each list of changes takes one line. */
export function configText(part: ConfigPart): string {
  const members = Object.entries(part).map(([key, value]) => {
    const text =
      typeof value === 'object' && value !== null ? changesText(value) : JSON.stringify(value)
    return `  ${JSON.stringify(key)}: ${text}`
  })
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n}`
}

function changesText(changes: object): string {
  const lists = Object.entries(changes).map(
    ([action, names]) =>
      `${JSON.stringify(action)}: [${(names as readonly string[]).map((name) => JSON.stringify(name)).join(', ')}]`,
  )
  return `{ ${lists.join(', ')} }`
}
