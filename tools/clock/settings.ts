import type { Config, State } from '@braidwork/plugin'
import { findTimeZone } from './zoned-time.ts'

/** The clock's settings. If `now` is set, the clock stands still. */
export interface ClockState extends State {
  /** Absent for the system's time zone, which is looked up only when needed, since that is slow. */
  readonly time_zone?: string
  readonly now?: string
}

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    time_zone: {
      type: 'string',
      title: 'Time zone',
      'x-i18n': {
        de: {
          title: 'Zeitzone',
          description: 'Name der IANA, etwa Europe/Berlin; ohne Angabe die Zeitzone des Systems',
        },
      },
      description: 'IANA name, such as Europe/Berlin; by default the time zone of the system',
    },
    now: {
      type: 'string',
      title: 'Fixed time',
      'x-i18n': {
        de: {
          title: 'Feste Zeit',
          description:
            'Zeit nach ISO 8601, etwa 2026-11-21T12:00:00Z, bei der die Uhr stillsteht, für wiederholbare Läufe',
        },
      },
      description:
        'ISO 8601 time, such as 2026-11-21T12:00:00Z, at which the clock stands still, for reproducible runs',
    },
  },
  additionalProperties: false,
} as const

const ISO_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/

/** @throws SETTINGS_INVALID for an unknown time zone or an invalid time */
export function readSettings(config: Config): ClockState {
  const settings = config.settings?.['clock'] ?? {}
  const { time_zone: zone, now } = settings
  if (zone !== undefined && (typeof zone !== 'string' || !findTimeZone(zone))) {
    throw invalid(
      'time_zone',
      `${JSON.stringify(zone)} is not a known time zone; use an IANA name such as "Europe/Berlin"`,
    )
  }
  if (now !== undefined && !isTime(now)) {
    throw invalid(
      'now',
      `${JSON.stringify(now)} is not a valid time; use one such as "2026-11-21T12:00:00Z"`,
    )
  }
  return {
    ...(zone === undefined ? {} : { time_zone: zone }),
    ...(now === undefined ? {} : { now }),
  }
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && ISO_TIME.test(value) && !Number.isNaN(Date.parse(value))
}

function invalid(key: string, message: string): Error {
  const pointer = `/settings/clock/${key}`
  return Object.assign(new Error(`Setting "${key}" of tool "clock": ${message}.`), {
    code: 'SETTINGS_INVALID',
    pointer,
  })
}
