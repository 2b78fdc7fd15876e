import { t, type Words, wordFor } from '../words/index.ts'

/** What a validator found wrong. */
export interface FormFault {
  readonly keyword: string
  /** A JSON pointer to the keyword in the schema, as `#/…`, through the references that lead there. */
  readonly keywordLocation: string
  /** In English. */
  readonly error: string
}

/** A fault in the language of the page. */
export function faultWords(
  schema: unknown,
  { keyword, keywordLocation, error }: FormFault,
): string {
  const name = `formFault_${keyword}`
  const words = wordFor(name)
  const value = keyword === 'required' ? nameIn(error) : valueAt(schema, keywordLocation)
  const isKnown = words !== undefined && (value !== undefined || !words.includes('{value}'))
  return isKnown ? t(name as keyof Words, { value: shown(value) }) : t('formFault_other')
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
  if (Array.isArray(value)) return value.map(shown).join(', ')
  return typeof value === 'string' ? value : String(JSON.stringify(value))
}
