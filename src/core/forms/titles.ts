import type { AnyPlugin } from '@braidwork/plugin/internal'
import { readableSettingsSchema } from '../config/index.ts'
import { sentence } from './layout.ts'
import { chosenWords } from './locale.ts'

/** What manifests say of plugins, by their names. */
export type Descriptions = ReadonlyMap<
  string,
  { readonly title?: string; readonly description?: string }
>

/** What a person knows a plugin by: its schema's title, else its manifest's, else its name in words. */
export function titleOf(plugin: AnyPlugin, descriptions: Descriptions, locale = ''): string {
  const schema = readableSettingsSchema(plugin) ?? {}
  const { title = schema['title'] } = chosenWords(schema, locale)
  if (typeof title === 'string' && title !== '') return title
  return descriptions.get(plugin.name)?.title ?? sentence(plugin.name)
}
