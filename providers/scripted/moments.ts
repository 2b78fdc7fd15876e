import { placesIn, wordsOf } from './words.ts'

const ASKING = new Set([
  'what',
  'whats',
  'which',
  'tell',
  'current',
  'now',
  'give',
  'show',
  'know',
  'is',
])

/** Whether a text asks for the time of day. */
export function asksForHour(text: string): boolean {
  const words = wordsOf(text)
  return words.some((word) => word === 'time' || word === 'clock' || word === 'late') && asks(words)
}

/** Whether a text asks for the day. */
export function asksForDay(text: string): boolean {
  const words = wordsOf(text)
  return words.some((word) => ['day', 'date', 'today', 'weekday'].includes(word)) && asks(words)
}

export function asksForTime(text: string): boolean {
  return asksForHour(text) || asksForDay(text)
}

function asks(words: readonly string[]): boolean {
  return words.some((word) => ASKING.has(word)) || words.length <= 3
}

const ZONE_NAME = /\b(?:UTC|GMT|[A-Z][A-Za-z]{1,20}(?:\/[A-Z][A-Za-z_+-]{1,30}){1,2})\b/g

/** IANA zones that a text names, or that its places have a zone of their own for. */
export function zonesIn(text: string): string[] {
  const named = text.match(ZONE_NAME) ?? []
  const places = placesIn(text).flatMap((place) => zoneOfPlace(place) ?? [])
  return [...new Set([...named, ...places])]
}

let zones: ReadonlyMap<string, string> | undefined

function zoneOfPlace(place: string): string | undefined {
  zones ??= new Map(Intl.supportedValuesOf('timeZone').map((zone) => [lastName(zone), zone]))
  return zones.get(place.toLowerCase())
}

function lastName(zone: string): string {
  return zone
    .slice(zone.lastIndexOf('/') + 1)
    .replaceAll('_', ' ')
    .toLowerCase()
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** "2026-11-21" as "21 November 2026"; anything else as it is. */
export function longDate(date: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? []
  const name = MONTHS[Number(month) - 1]
  return year && day && name ? `${Number(day)} ${name} ${Number(year)}` : date
}
