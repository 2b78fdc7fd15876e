import { type Caller, findJsonFault, HostError, isObject } from '@braidwork/plugin'
import { isId } from './option-kinds.ts'

export type { Caller } from '@braidwork/plugin'

/** The most characters of a caller's data, as JSON: it is stored with each run, and sent to Python with each context. */
const LONGEST_DATA = 16 * 1024
const KEYS = ['id', 'role', 'scope', 'data']

/**
 * Copies and freezes what is known of a caller, so that no plugin can change it for another.
 * @throws {HostError} OPTION_INVALID, with a pointer
 */
export function checkedCaller(caller: Caller): Caller {
  if (!isObject(caller)) throw invalid('', 'must be an object with an "id"')
  const { id, role, scope, data } = caller
  if (!isId(id)) throw invalid('/id', 'must be a text that is not blank')
  for (const [key, value] of Object.entries({ role, scope })) {
    if (value !== undefined && typeof value !== 'string') throw invalid(`/${key}`, 'must be a text')
  }
  const unknown = Object.keys(caller).find((key) => !KEYS.includes(key))
  if (unknown !== undefined) throw invalid(`/${unknown}`, 'is not known; put it into "data"')
  if (data === undefined) return Object.freeze({ ...caller })
  return Object.freeze({ ...caller, data: checkedData(data) })
}

function checkedData(data: unknown): NonNullable<Caller['data']> {
  if (!isObject(data)) throw invalid('/data', 'must be an object')
  const fault = findJsonFault(data)
  if (fault) throw invalid(`/data${fault.pointer}`, `is not JSON: ${fault.reason}`)
  const text = JSON.stringify(data)
  if (text.length > LONGEST_DATA) throw invalid('/data', `has more than ${LONGEST_DATA} characters`)
  return frozen(JSON.parse(text) as NonNullable<Caller['data']>)
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}

function invalid(pointer: string, fault: string): HostError {
  const place = `/caller${pointer}`
  return new HostError('OPTION_INVALID', `The caller at ${place} ${fault}.`, { pointer: place })
}
