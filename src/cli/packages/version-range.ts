import satisfies from 'semver/functions/satisfies.js'
import validRange from 'semver/ranges/valid.js'

/**
 * Whether a range of npm, such as `^1.2.0 || >=3`, excludes a version. A value that is no range of versions, such as a
 * tag or an address, excludes none.
 */
export function isExcluded(version: string, range: string): boolean {
  return validRange(range) !== null && !satisfies(version, range, { includePrerelease: true })
}
