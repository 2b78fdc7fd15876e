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

/** What the name of a distribution of PyPI begins with here. No package of npm can have such a name. */
const PYPI = 'pypi:'
const DISTRIBUTION = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i
/** https://packaging.python.org/en/latest/specifications/version-specifiers/ */
const CLAUSES = /^(?:===?|[<>~!]=|[<>])[\w.*+!<>=~, -]+$/

/** Whether a name is that of a distribution of PyPI. */
export function isOfPypi(name: string): boolean {
  return name.startsWith(PYPI)
}

/** The name of a distribution as PyPI has it. */
export function distributionOf(name: string): string {
  return name.slice(PYPI.length)
}

/** Parses `name` or `name@version`, or for PyPI `pypi:name` or `pypi:name==version`. @throws {HostError} OPTION_INVALID for what the registry does not have */
export function parseSpec(reference: string): PackageSpec {
  return isOfPypi(reference) ? parsePypi(reference) : parseNpm(reference)
}

/** The name is normalized, as PyPI does it. */
function parsePypi(reference: string): PackageSpec {
  const text = distributionOf(reference)
  const at = text.search(/[<>=!~]/)
  const given = (at === -1 ? text : text.slice(0, at)).trim()
  const range = at === -1 ? undefined : text.slice(at)
  if (DISTRIBUTION.test(given) && (range === undefined || CLAUSES.test(range))) {
    const name = `${PYPI}${given.toLowerCase().replaceAll(/[._-]+/g, '-')}`
    return range === undefined ? { name } : { name, range }
  }
  throw invalid(reference)
}

function parseNpm(reference: string): PackageSpec {
  // The "@" of a scope is no beginning of a version.
  const at = reference.indexOf('@', 1)
  const name = at === -1 ? reference : reference.slice(0, at)
  const range = at === -1 ? undefined : reference.slice(at + 1).trim()
  const isFit = NAME.test(name) && name.length <= LONGEST && !isTarball(reference)
  if (isFit && (range === undefined || RANGE.test(range))) {
    return range === undefined ? { name } : { name, range }
  }
  throw invalid(reference)
}

/** Sources of npm that are no registry: repositories, addresses and tarballs. */
const ELSEWHERE = /^(?:git|https?|ssh|file|github|gitlab|bitbucket|gist)\b.*:|^[\w.-]+\/[\w.-]+$/

/** Whether a text names a tarball of npm. */
export function isTarball(reference: string): boolean {
  return reference.endsWith('.tgz') || reference.endsWith('.tar.gz')
}

function invalid(reference: string): HostError {
  const advice =
    isTarball(reference) || ELSEWHERE.test(reference)
      ? `To add what is elsewhere, install it with npm into a folder of yours: npm install "${reference}". Then add it there by the name of its package: braidwork plugins add NAME`
      : 'Give a name such as "braidwork-shout", "@me/shout@1.2.0" or "pypi:braidwork-shout==1.2.0", or a path that begins with "./".'
  return new HostError('OPTION_INVALID', `"${reference}" is not a package of a registry. ${advice}`)
}
