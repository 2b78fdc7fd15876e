import type { Tool, ToolResult, ToolSchema } from '@braidwork/plugin'
import { type ClockState, CONFIG_SCHEMA, readSettings } from './settings.ts'
import { findTimeZone, zonedTime } from './zoned-time.ts'

const CURRENT_TIME: ToolSchema = {
  name: 'current_time',
  description: 'The current date, time and weekday, here or in another time zone.',
  input_schema: {
    type: 'object',
    properties: {
      time_zone: {
        type: 'string',
        description:
          'IANA name of a time zone, such as Europe/Berlin; by default the time zone of the user',
        maxLength: 100,
      },
    },
    additionalProperties: false,
  },
  output_schema: {
    type: 'object',
    properties: {
      iso: { type: 'string', description: 'ISO 8601 with offset' },
      date: { type: 'string' },
      time: { type: 'string' },
      weekday: { type: 'string' },
      time_zone: { type: 'string' },
      unix: { type: 'integer', description: 'Seconds since 1970' },
    },
    required: ['iso', 'date', 'time', 'weekday', 'time_zone', 'unix'],
    additionalProperties: false,
  },
  safety: { is_read_only: true, is_concurrency_safe: true, is_destructive: false },
}

function currentTime(input: unknown, state: ClockState): ToolResult {
  const wanted = timeZoneOf(input) ?? state.time_zone ?? systemTimeZone()
  const timeZone = typeof wanted === 'string' ? findTimeZone(wanted) : undefined
  if (timeZone === undefined) {
    const output = `${JSON.stringify(wanted)} is not a known time zone; use an IANA name such as "Europe/Berlin".`
    return { output, isError: true }
  }
  return { output: zonedTime(state.now === undefined ? new Date() : new Date(state.now), timeZone) }
}

function systemTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

function timeZoneOf(input: unknown): unknown {
  return typeof input === 'object' && input !== null && 'time_zone' in input
    ? input.time_zone
    : undefined
}

export default {
  kind: 'tool',
  name: 'clock',
  requiredTags: ['tools'],
  configSchema: CONFIG_SCHEMA,
  init: (config) => readSettings(config),
  getToolSchemas: () => [CURRENT_TIME],
  executeTool: ({ input }, state) => currentTime(input, state),
} satisfies Tool<ClockState>
