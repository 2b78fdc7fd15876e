import { placesIn, wordsOf } from './words.ts'

const ASKING = new Set(['what', 'whats', 'which', 'tell', 'current', 'now', 'give', 'show', 'know'])
const HOUR = new Set(['time', 'clock', 'late'])
const DAY = new Set(['day', 'date', 'today', 'weekday'])

/** Whether a text asks for the time of day. */
export function asksForHour(text: string): boolean {
  return asksFor(HOUR, text)
}

/** Whether a text asks for the day. */
export function asksForDay(text: string): boolean {
  return asksFor(DAY, text)
}

/** Whether a text asks for something with one of the words. A bare "The date, please" counts as a question too. */
function asksFor(wanted: ReadonlySet<string>, text: string): boolean {
  const words = wordsOf(text)
  if (!words.some((word) => wanted.has(word))) return false
  const isBare = words.filter((word) => word !== 'the' && word !== 'please').length === 1
  return isBare || text.includes('?') || words.some((word) => ASKING.has(word))
}

export function asksForTime(text: string): boolean {
  return asksForHour(text) || asksForDay(text)
}

const ZONE_NAME = /\b(?:UTC|GMT|[A-Z][A-Za-z]{1,20}(?:\/[A-Z][A-Za-z_+-]{1,30}){1,2})\b/g

/** The IANA time zones that a text names, directly or by a place with a zone of its own. */
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

/** "2026-11-21" as "21 November 2026"; other texts unchanged. */
export function longDate(date: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? []
  const name = MONTHS[Number(month) - 1]
  return year && day && name ? `${Number(day)} ${name} ${Number(year)}` : date
}
