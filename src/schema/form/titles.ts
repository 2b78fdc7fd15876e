import type { AnyPlugin } from '../../plugin/internal.ts'
import { readableSettingsSchema } from '../settings-schema.ts'
import { sentence } from './layout.ts'
import { chosenWords } from './locale.ts'

/** What a person knows a plugin by: its schema's title, else its name in words. */
export function titleOf(plugin: AnyPlugin, locale = ''): string {
  const schema = readableSettingsSchema(plugin) ?? {}
  const { title } = { ...schema, ...chosenWords(schema, locale) }
  return typeof title === 'string' && title !== '' ? title : sentence(plugin.name)
}
