import { HostError } from '@braidwork/plugin'

/** A package of the registry, as a person names it. */
export interface PackageSpec {
  readonly name: string
  /** A version, a range of versions or a tag. Absent if the person named none. */
  readonly range?: string
}

const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/
/** No ":" and "/": they begin addresses, aliases and folders, which do not come from the registry. */
const RANGE = /^[\w.^~<>=|*+ -]+$/
const LONGEST = 214

/** Parses `name` or `name@version`. @throws {HostError} OPTION_INVALID for what the registry does not have */
export function parseSpec(reference: string): PackageSpec {
  // The "@" of a scope is no beginning of a version.
  const at = reference.indexOf('@', 1)
  const name = at === -1 ? reference : reference.slice(0, at)
  const range = at === -1 ? undefined : reference.slice(at + 1).trim()
  const isFit = NAME.test(name) && name.length <= LONGEST
  if (isFit && (range === undefined || RANGE.test(range))) {
    return range === undefined ? { name } : { name, range }
  }
  throw new HostError(
    'OPTION_INVALID',
    `"${reference}" is not a package of the registry. Give a name such as "braidwork-shout" or "@me/shout@1.2.0", or a path that begins with "./".`,
  )
}
