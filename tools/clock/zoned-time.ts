/** A point in time in a time zone. */
export interface ZonedTime {
  /** ISO 8601 with the zone's offset: 2026-11-21T15:04:05+01:00 */
  readonly iso: string
  readonly date: string
  readonly time: string
  readonly weekday: string
  readonly time_zone: string
  /** Unix time in seconds. */
  readonly unix: number
}

/** The name of a time zone with correct capitals; `undefined` if the zone does not exist. */
export function findTimeZone(name: string): string | undefined {
  try {
    const known = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
    // Some names resolve to an older one, such as Asia/Kathmandu to Asia/Katmandu.
    return known.toLowerCase() === name.toLowerCase() ? known : name
  } catch {
    return undefined
  }
}

export function zonedTime(moment: Date, timeZone: string): ZonedTime {
  const parts = partsOf(moment, timeZone)
  const date = `${parts('year').padStart(4, '0')}-${parts('month')}-${parts('day')}`
  const time = `${parts('hour')}:${parts('minute')}:${parts('second')}`
  return {
    iso: `${date}T${time}${offsetOf(parts('timeZoneName'))}`,
    date,
    time,
    weekday: parts('weekday'),
    time_zone: timeZone,
    unix: Math.floor(moment.getTime() / 1000),
  }
}

function partsOf(moment: Date, timeZone: string): (type: Intl.DateTimeFormatPartTypes) => string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    weekday: 'long',
    timeZoneName: 'longOffset',
  })
  const parts = format.formatToParts(moment)
  return (type) => parts.find((part) => part.type === type)?.value ?? ''
}

/** "GMT+01:00" → "+01:00"; "GMT" and "GMT+00:00" → "Z". */
function offsetOf(zoneName: string): string {
  const offset = zoneName.replace('GMT', '')
  return offset === '' || offset === '+00:00' ? 'Z' : offset
}
