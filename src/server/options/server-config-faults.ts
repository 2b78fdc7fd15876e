import { valueAt, variablesIn } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { asSentence } from '@braidwork/plugin/internal'
import { ADDRESS, ADDRESS_EXPECTED } from '../access/index.ts'
import { BASE_PATH, BASE_PATH_EXPECTED } from './server-options.ts'

/** A secret, or the reference to a variable that has it. */
export const TOKEN = '^(?:\\S{16,}|\\$\\{env:\\w+\\})$'
export const ORIGIN = '^https?://[^/]+$'
export const SETTING = '^/(settings|switches)/'

/** What a value must be that does not match a pattern of the schema. */
const EXPECTED = new Map<string, string>([
  [TOKEN, 'have at least 16 characters, and no spaces'],
  [ORIGIN, 'be an origin without a path, such as "https://chat.example.com"'],
  [SETTING, 'begin with "/settings/" or "/switches/"'],
  [BASE_PATH, `be ${BASE_PATH_EXPECTED}`],
  [ADDRESS, `be ${ADDRESS_EXPECTED}`],
])

interface Fault {
  readonly message: string
  readonly pointer: string
}

/**
 * Returns the error for a fault that the schema finds: what the value must be, and which variables it comes from.
 * @param given the `server` part of a config, with its references to variables
 * @param filled the same with the values of the variables
 */
export function schemaError(
  { message, pointer }: Fault,
  given: unknown,
  filled: unknown,
): HostError {
  const value = valueAt(given, pointer)
  const origin = originOf(value, valueAt(filled, pointer))
  return invalidServer(`${asSentence(inWords(message, value))}${origin}`, pointer)
}

/** @param pointer a place below `/server` */
export function invalidServer(message: string, pointer: string): HostError {
  const place = `/server${pointer}`
  const text = `The config is not valid at "${place}": ${asSentence(message)}`
  return new HostError('CONFIG_INVALID', text, { pointer: place })
}

function inWords(message: string, value: unknown): string {
  const [start = '', pattern = ''] = message.split(' must match pattern ')
  const expected = EXPECTED.get(pattern.slice(1, -1))
  // A token is a secret, and a pointer is none.
  const subject = pattern.slice(1, -1) === SETTING ? JSON.stringify(value) : start
  return expected === undefined ? message : `${subject} must ${expected}`
}

/** The variables that a value comes from. */
function originOf(given: unknown, filled: unknown): string {
  const names = variablesIn(given).map((name) => `"${name}"`)
  if (names.length === 0) return ''
  const empty = filled === '' ? ', which is empty' : ''
  return ` The value comes from the environment variable ${names.join(' and ')}${empty}.`
}
