import { digitsText, t, type Words, wordFor } from '../words/index.ts'
import { addFormWords } from './form-words.ts'

addFormWords()

/** What a validator found wrong. */
export interface FormFault {
  readonly keyword: string
  /** A JSON pointer to the keyword in the schema, as `#/…`, through the references that lead there. */
  readonly keywordLocation: string
  /** In English. */
  readonly error: string
}

/** The most values to choose from that a fault lists. */
const MOST = 12

/**
 * A fault in the language of the page.
 * @param isEmpty whether there is no value yet
 */
export function faultWords(schema: unknown, fault: FormFault, isEmpty = false): string {
  const { keyword, keywordLocation, error } = fault
  if (keyword === 'required' && fieldMissing(schema, fault)) return t('faultMissing')
  if (keyword === 'type' && isEmpty) return t('faultMissing')
  const name = `formFault_${keyword}`
  const words = wordFor(name)
  const found = keyword === 'required' ? nameIn(error) : valueAt(schema, keywordLocation)
  const format = keyword === 'format' ? wordFor(`formFormat_${String(found)}`) : undefined
  if (format !== undefined) return t('formFault_type', { value: format })
  const value = keyword === 'type' ? typeText(found) : found
  const isKnown = words !== undefined && (value !== undefined || !words.includes('{value}'))
  return isKnown ? t(name as keyof Words, { value: shown(value) }) : t('formFault_other')
}

/** The name of a missing property that has a field of its own. */
export function fieldMissing(schema: unknown, fault: FormFault): string | undefined {
  const name = fault.keyword === 'required' ? nameIn(fault.error) : undefined
  if (name === undefined) return undefined
  const around = fault.keywordLocation.replace(/\/required$/, '')
  const fields = valueAt(schema, `${around}/properties`)
  return Object.hasOwn(Object(fields) as object, name) ? name : undefined
}

/** The types that a schema allows, in words. */
function typeText(types: unknown): string | undefined {
  const names = [types].flat().filter((type) => type !== 'null')
  const words = names.map((type) => wordFor(`formType_${String(type)}`))
  return words.length > 0 && words.every(Boolean) ? words.join(t('formOr')) : undefined
}

/** The validator tells the name of a missing property in its text alone. */
function nameIn(error: string): string | undefined {
  return /"(.*)"/s.exec(error)?.[1]
}

/** What the schema says at a place. */
function valueAt(schema: unknown, location: string): unknown {
  const keys = location.split('/').slice(1)
  return keys.reduce<unknown>((value, key) => {
    const name = decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')
    return (Object(value) as { readonly [name: string]: unknown })[name]
  }, schema)
}

function shown(value: unknown): string {
  if (Array.isArray(value)) {
    const first = value.slice(0, MOST).map(shown).join(', ')
    return value.length > MOST ? `${first}, …` : first
  }
  if (typeof value === 'number') return digitsText(value)
  return typeof value === 'string' ? value : String(JSON.stringify(value))
}
