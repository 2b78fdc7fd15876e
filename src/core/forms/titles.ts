import type { JsonObject } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { readableSettingsSchema } from '../config/index.ts'
import { sentence } from './layout.ts'
import { chosenWords } from './locale.ts'

/** A title and a description in a manifest, also in other languages. */
export interface Description {
  readonly title?: string
  readonly description?: string
  readonly 'x-i18n'?: JsonObject
}

/** The titles and descriptions in manifests, by plugin name. */
export type Descriptions = ReadonlyMap<string, Description>

/** The title of a plugin: from its schema, else from its manifest, else its name as words. */
export function titleOf(plugin: AnyPlugin, descriptions: Descriptions, locale = ''): string {
  const schema = readableSettingsSchema(plugin) ?? {}
  const manifest = descriptions.get(plugin.name) ?? {}
  const titles = [schema, manifest].flatMap((one) => {
    const { title = one['title'] } = chosenWords({ ...one }, locale)
    return typeof title === 'string' && title !== '' ? [title] : []
  })
  return titles[0] ?? sentence(plugin.name)
}

/** The description of a plugin in its manifest. */
export function descriptionOf(
  plugin: AnyPlugin,
  descriptions: Descriptions,
  locale = '',
): string | undefined {
  const manifest = descriptions.get(plugin.name) ?? {}
  const { description = manifest.description } = chosenWords({ ...manifest }, locale)
  return typeof description === 'string' ? description : undefined
}
