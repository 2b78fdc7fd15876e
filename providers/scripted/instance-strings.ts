import type { JsonObject } from '@braidwork/plugin'

const FORMATS: { readonly [format: string]: string } = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  time: '00:00:00Z',
  duration: 'PT0S',
  email: 'ada@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/** Matches names of properties whose value is the text of the answer, not the name of the property. */
const ANSWER = /answer|text|summary|message|response|reply|content|description|explanation|reason/i

/** A text within the lengths that a schema allows. For a `pattern`, only an example in the schema is used. */
export function fillString(schema: JsonObject, name: string, text: string): string {
  const example: unknown = Array.isArray(schema['examples'])
    ? schema['examples'][0]
    : schema['example']
  if (typeof example === 'string') return example
  const format = schema['format']
  if (typeof format === 'string' && Object.hasOwn(FORMATS, format)) return FORMATS[format] ?? ''
  const value = ANSWER.test(name) || name === '' ? text : name.replaceAll('_', ' ')
  return fit(value, Number(schema['minLength'] ?? 0) || 0, Number(schema['maxLength'] ?? Infinity))
}

/** The maximum length of a generated text. */
const LONGEST = 10_000

function fit(value: string, least: number, most: number): string {
  const characters = Array.from(value)
  const enough =
    characters.length < least
      ? value.padEnd(value.length + Math.min(least, LONGEST) - characters.length, '.')
      : value
  return Number.isNaN(most) || Array.from(enough).length <= most
    ? enough
    : Array.from(enough).slice(0, most).join('')
}
