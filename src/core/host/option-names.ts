import { HostError } from '@braidwork/plugin'
import { didYouMeanThis, nearest } from '../suggest.ts'
import { hintFor } from './foreign-options.ts'

/** The error of an option that there is not. @param of what takes the options, such as `createHost` */
export function unknownOption(of: string, pointer: string, known: readonly string[]): HostError {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1)
  const hint = hintFor(name, known)
  const meant = hint === undefined ? didYouMeanThis(nearest(name, known)) : ` ${hint}`
  const message = `${of} has no option "${name}".${meant} It takes`
  return new HostError('OPTION_INVALID', `${message} ${known.join(', ')}.`, { pointer })
}

/** The members of a decoded request that are no options of a run. They are passed with it, and do nothing. */
const DECODED = ['protocol', 'model', 'approvals', 'hostTools', 'ignored', 'canReset']

/**
 * Refuses an option that there is not. A decoded request has more members than options.
 * @throws {HostError} OPTION_INVALID
 */
export function refuseUnknown(of: string, options: object, known: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue
    const isDecoded = 'protocol' in options && (DECODED.includes(name) || name === 'config')
    if (!isDecoded) throw unknownOption(of, `/${name}`, known)
  }
}

/** Refuses a misspelled option. @throws {HostError} OPTION_INVALID */
export function refuseMisspelled(of: string, options: object, known: readonly string[]): void {
  const fault = misspelledOption(of, options, known)
  if (fault) throw fault
}

/**
 * The error of an option whose name is nearly one that there is. Others are no error, as the object may be of a class
 * with more members.
 */
export function misspelledOption(
  of: string,
  options: object,
  known: readonly string[],
): HostError | undefined {
  const name = Object.keys(options).find((one) => !known.includes(one) && isNearOne(one, known))
  return name === undefined ? undefined : unknownOption(of, `/${name}`, known)
}

/** The names that are near none, by the list. Every request of a program has the same, and comparing takes a while. */
const farNames = new WeakMap<readonly string[], Set<string>>()
/** The most of these names, and the most characters of one: they may come from outside. */
const MOST_FAR = 100
const LONGEST_FAR = 50

/** Whether a name is nearly one that there is. */
export function isNearOne(name: string, known: readonly string[]): boolean {
  const far = farNames.get(known) ?? new Set()
  if (far.has(name)) return false
  if (nearest(name, known) !== undefined) return true
  if (far.size < MOST_FAR && name.length <= LONGEST_FAR) farNames.set(known, far.add(name))
  return false
}
