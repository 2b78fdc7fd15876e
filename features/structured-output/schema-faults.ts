import type { ErrorObject } from 'ajv'

/** More faults would not help a model or a person. */
const MOST_FAULTS = 10
const LONGEST_FAULT = 200

/** Describes validation errors, each once, with JSON pointers. */
export function describeFaults(
  errors: readonly ErrorObject[] | null | undefined,
): readonly string[] {
  const faults = new Set<string>()
  const all = errors ?? []
  for (const error of all.slice(0, MOST_FAULTS)) faults.add(clip(describeFault(error)))
  return all.length > MOST_FAULTS ? [...faults, 'and more'] : [...faults]
}

function describeFault({ keyword, params, instancePath, message = 'is not valid' }: ErrorObject) {
  const facts = params as { readonly [fact: string]: unknown }
  const key =
    facts['missingProperty'] ?? facts['additionalProperty'] ?? facts['unevaluatedProperty']
  const place = `${instancePath}${typeof key === 'string' ? pointerOf(key) : ''}`
  const where = place === '' ? 'the value' : place
  switch (keyword) {
    case 'required':
      return `${where} is missing`
    case 'additionalProperties':
    case 'unevaluatedProperties':
    case 'false schema':
      return `${where} is not allowed`
    case 'enum':
      return `${where} must be one of ${JSON.stringify(facts['allowedValues'])}`
    case 'const':
      return `${where} must be ${JSON.stringify(facts['allowedValue'])}`
    default:
      return `${where} ${message}`
  }
}

/** The pointer of a string in a schema, as a value or as a key. */
export function pointerTo(text: string, schema: unknown): string | undefined {
  if (schema === text) return ''
  if (typeof schema !== 'object' || schema === null) return undefined
  for (const [key, value] of Object.entries(schema)) {
    const below = key === text ? '' : pointerTo(text, value)
    if (below !== undefined) return `${pointerOf(key)}${below}`
  }
  return undefined
}

function pointerOf(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function clip(text: string): string {
  if (text.length <= LONGEST_FAULT) return text
  // Do not split a surrogate pair.
  return `${text.slice(0, LONGEST_FAULT).replace(/[\uD800-\uDBFF]$/, '')}…`
}
