import { isObject } from '@braidwork/plugin'
import { fits } from './fits.ts'
import { enumOf, type Property } from './schema.ts'
import { lower } from './words.ts'

/** The value of a `name: value` or `name = value` pair in a text, if it matches the property's schema. */
export function pairValue(text: string, property: Property): unknown {
  const rest = afterName(text, property.name)
  const value = rest === undefined ? undefined : toValue(rest, property)
  return fits(value, property.schema) ? value : undefined
}

/** Returns the text after a name and its ":" or "=". The text may write `_` and `-` of the name as spaces. */
function afterName(text: string, name: string): string | undefined {
  const small = lower(text)
  for (const spelling of new Set([lower(name), lower(name).replace(/[_-]+/g, ' ')])) {
    if (spelling === '') continue
    for (let at = small.indexOf(spelling); at >= 0; at = small.indexOf(spelling, at + 1)) {
      if (at > 0 && /[\p{L}\p{N}_-]/u.test(small[at - 1] ?? '')) continue
      const sign = /^["'`]?[ \t]{0,8}[:=][ \t]{0,8}/.exec(
        text.slice(at + spelling.length, at + spelling.length + 20),
      )
      if (sign) return text.slice(at + spelling.length + sign[0].length)
    }
  }
  return undefined
}

function toValue(rest: string, { schema, type }: Property): unknown {
  const allowed = enumOf(schema)
  if (allowed) {
    return longestAt(lower(rest).replace(/^["'`]/, ''), allowed)
  }
  switch (type) {
    case 'number':
    case 'integer':
      return toNumber(rest, type)
    case 'boolean':
      return toFlag(rest)
    case 'array':
      return toList(rest, schema['items'])
    case 'object':
      return toObject(rest)
    default:
      return toText(rest)
  }
}

/** The longest of some values with which a text begins, as whole words: "mile" is neither "m" nor "mi". */
function longestAt(text: string, values: readonly unknown[]): unknown {
  let longest: unknown
  let most = 0
  for (const value of values) {
    const small = value === null ? '' : lower(String(value))
    const after = text.slice(small.length, small.length + 1)
    if (small.length <= most || !text.startsWith(small) || /[\p{L}\p{N}_]/u.test(after)) continue
    longest = value
    most = small.length
  }
  return longest
}

function toNumber(rest: string, type: string): number | undefined {
  const match = /^["']?(-?\d{1,15}(?:\.\d{1,12})?)/.exec(rest)
  const value = Number(match?.[1])
  return match && (type === 'number' || Number.isInteger(value)) ? value : undefined
}

function toFlag(rest: string): boolean | undefined {
  if (/^["']?(true|yes|on)\b/i.test(rest)) return true
  return /^["']?(false|no|off)\b/i.test(rest) ? false : undefined
}

/** A quoted text, or the text up to the next separator. */
function toText(rest: string): string | undefined {
  const quoted = /^(["'`])([^\n]*?)\1/.exec(rest.slice(0, 2_000))
  if (quoted) return quoted[2]
  const [plain = ''] = rest.split(/[,;\n}]| and [\w ]{1,40}[:=]/, 1)
  const value = plain.trim().replace(/[.?!]$/, '')
  return value === '' ? undefined : value
}

function toList(rest: string, items: unknown): unknown[] | undefined {
  const [line = ''] = rest.split('\n', 1)
  const inside = line.startsWith('[') ? line.slice(1).split(']', 1)[0] : line.split(';', 1)[0]
  const schema = isObject(items) ? items : {}
  const type = schema['type']
  const values = (inside ?? '').split(',').map((item) => {
    const property = {
      name: '',
      schema,
      type: typeof type === 'string' ? type : undefined,
      isRequired: true,
    }
    return toValue(item.trim(), property)
  })
  return values.length > 0 && values.every((value) => value !== undefined) ? values : undefined
}

function toObject(rest: string): unknown {
  const end = rest.indexOf('}')
  try {
    const value: unknown = JSON.parse(rest.slice(0, end + 1))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
