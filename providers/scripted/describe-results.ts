import { isObject } from '@braidwork/plugin'
import { asksForDay, asksForHour, longDate } from './moments.ts'
import type { ToolResultContent } from './native.ts'
import { outputText } from './output-text.ts'
import type { Turn } from './turn.ts'

/** The maximum number of characters for one result. */
const LONGEST = 400

/** Describes the tool results of a turn in one sentence. */
export function describeResults(turn: Turn): string {
  const clauses = [...new Set(turn.results.map((result) => describe(result, turn.asked)))]
  const sentence = joinClauses(clauses).replace(/^(?:it|today) /, capitalize)
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function joinClauses(clauses: readonly string[]): string {
  const last = clauses.at(-1) ?? ''
  const before = clauses.slice(0, -1).map((clause) => clause.replace(/[.!]$/, ''))
  return before.length === 0 ? last : `${before.join(', ')}, and ${last}`
}

function describe({ name, output, is_error }: ToolResultContent, user: string): string {
  const text = shorten(outputText(output).trim())
  if (is_error) return `${name} failed: ${errorText(output) ?? text}`
  if (isObject(output)) return describeObject(name, output, user)
  if (text === '') return `${name} gave nothing`
  return typeof output === 'string' || Array.isArray(output)
    ? `${name} says: ${text}`
    : `${name} gives ${text}`
}

function describeObject(name: string, output: Fields, user: string): string {
  return describeCalculation(output) ?? describeMoment(output, user) ?? describeFields(name, output)
}

type Fields = { readonly [key: string]: unknown }

function describeCalculation({ expression, result, value, exact }: Fields): string | undefined {
  const given = result ?? value
  if (typeof expression !== 'string' || !isScalar(given)) return undefined
  return `${expression} ${exact === false ? '≈' : '='} ${given}`
}

function describeMoment(
  { date, weekday, time, time_zone }: Fields,
  user: string,
): string | undefined {
  if (typeof date !== 'string' || typeof weekday !== 'string') return undefined
  const day = `${weekday}, ${longDate(date)}`
  if (typeof time !== 'string' || !(asksForHour(user) || !asksForDay(user)))
    return `today is ${day}`
  const where = typeof time_zone === 'string' ? ` (${time_zone})` : ''
  const hour = `it is ${time.slice(0, 5)}${where}`
  return asksForDay(user) ? `${hour} on ${day}` : hour
}

function describeFields(name: string, output: Fields): string {
  const entries = Object.entries(output)
  if (entries.length === 0) return `${name} is done`
  const fields = entries.map(([key, value]) => `${key.replaceAll('_', ' ')}: ${outputText(value)}`)
  return `${name} gives ${shorten(fields.join(', '))}`
}

function errorText(output: unknown): string | undefined {
  if (!isObject(output)) return undefined
  const text = output['message'] ?? output['error']
  return typeof text === 'string' ? text : undefined
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
}
