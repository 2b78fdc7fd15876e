import { assertKinds, invalidOption, type Kinds, unknownOption } from '@braidwork/core/internal'
import { HostError, isObject } from '@braidwork/plugin'

/**
 * Refuses options that there are not, and values of another kind. Programs in JavaScript may give any.
 * @param of what takes the options @throws {HostError} OPTION_INVALID, with a pointer
 */
export function assertOptions(of: string, options: unknown, kinds: Kinds): void {
  if (!isObject(options)) throw invalidOption(`The options of ${of} must be an object.`)
  const known = Object.keys(kinds)
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown !== undefined) throw unknownOption(of, `/${unknown}`, known)
  assertKinds(of, options, kinds)
}

/**
 * Refuses a copy of a decoded request, which does not tell how its client is answered, and options in its place.
 * @param to what is none that `decodeRequest` returned @throws {HostError} OPTION_INVALID, with a pointer
 */
export function assertProtocolAlone(to: object): void {
  const other = Object.keys(to).find((name) => name !== 'protocol')
  if (other === undefined) return
  const message = `toResponse takes the very request that decodeRequest returned, or { protocol }. This object is no such request, and has "${other}".`
  throw new HostError('OPTION_INVALID', message, { pointer: `/${other}` })
}
