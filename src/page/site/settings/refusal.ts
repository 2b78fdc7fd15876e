import { faultsInWords } from '../forms/index.ts'
import { errorText } from '../reasons/index.ts'
import type { Fault, ServerError, Values } from '../server/index.ts'
import { t } from '../words/index.ts'

/** Why the server does not take settings: at a field of the form, or as a text. */
export type Refusal =
  | { readonly fault: Fault; readonly text?: never }
  | { readonly text: string; readonly fault?: never }

/** How the server begins to say that settings do not fit. */
const BEGINNING = /^The settings are not valid: /

/** What the page says of a refusal, in its own words where the schema of the form has the fault too. */
export function refusalOf(error: ServerError, schema: Values, data: Values): Refusal {
  if (!BEGINNING.test(error.message)) return { text: errorText(error) }
  const message = error.message.replace(BEGINNING, '')
  // A fault of what was sent is in its `data`, and one of a plugin in the settings that result.
  const pointer = error.pointer?.replace(/^\/data(?=\/)/, '')
  if (pointer === undefined || !hasField(schema, pointer)) {
    return { text: t('settingsRefused', { message }) }
  }
  const [own] = faultsInWords(schema, data, [{ pointer, message }])
  const isKnown = own !== undefined && own.message !== message
  return { fault: isKnown ? own : { pointer, message: t('formRefused', { message }) } }
}

/** Whether a form of a schema has a field at a place. */
function hasField(schema: Values, pointer: string): boolean {
  const [, ...keys] = pointer.split('/')
  let place: unknown = schema
  for (const key of keys) {
    const { properties } = Object(place) as { readonly properties?: Values }
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!properties || !Object.hasOwn(properties, name)) return false
    place = properties[name]
  }
  return keys.length > 0
}
