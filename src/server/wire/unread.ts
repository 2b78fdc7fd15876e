import { Fields, MOST_NAMES } from './fields.ts'

/** The longest name of a place. */
const LONGEST = 100

interface Place {
  readonly fields: Fields
  /** The text before the names of its fields. */
  readonly before: string
}

/**
 * Returns the names of fields that are present but were not read, in the objects that were opened below the fields of a
 * request: each name once, with the names above it, such as `messages[].name`.
 * @param neutral values that request the default behavior, by the last names of their fields
 */
export function unreadBelow(
  fields: Fields,
  neutral: { readonly [name: string]: unknown } = {},
): readonly string[] {
  const names = new Set<string>()
  const places = [...placesBelow({ fields, before: '' })]
  // The list grows while it is read.
  for (const place of places) {
    for (const name of place.fields.unread(neutral)) {
      const whole = place.before + name
      if (whole.length <= LONGEST) names.add(whole)
    }
    if (names.size >= MOST_NAMES) break
    for (const below of placesBelow(place)) places.push(below)
  }
  return [...names].slice(0, MOST_NAMES)
}

function* placesBelow({ fields, before }: Place): Generator<Place> {
  for (const [name, below] of fields.opened) {
    if (below instanceof Fields) yield { fields: below, before: `${before}${name}.` }
    else for (const one of below) yield { fields: one, before: `${before}${name}[].` }
  }
}
