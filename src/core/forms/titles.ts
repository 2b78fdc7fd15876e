import type { AnyPlugin } from '@braidwork/plugin/internal'
import { readableSettingsSchema } from '../config/index.ts'
import { sentence } from './layout.ts'
import { chosenWords } from './locale.ts'

/** The titles and descriptions in manifests, by plugin name. */
export type Descriptions = ReadonlyMap<
  string,
  { readonly title?: string; readonly description?: string }
>

/** The title of a plugin: from its schema, else from its manifest, else its name as words. */
export function titleOf(plugin: AnyPlugin, descriptions: Descriptions, locale = ''): string {
  const schema = readableSettingsSchema(plugin) ?? {}
  const { title = schema['title'] } = chosenWords(schema, locale)
  if (typeof title === 'string' && title !== '') return title
  return descriptions.get(plugin.name)?.title ?? sentence(plugin.name)
}
