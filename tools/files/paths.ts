import { Problem } from './problem.ts'

const LONGEST = 1_000
/** Matches names that Windows treats as devices, file streams, or aliases of other names. */
const WINDOWS_TRAPS = /[\\:*?"<>|]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * Splits a path from the model into names, from the root down. Absolute paths and ".." are refused.
 * @throws {Problem}
 */
export function namesOf(path: string): readonly string[] {
  if (path.length > LONGEST) throw new Problem('The path is too long.')
  if (path.includes('\0')) throw new Problem('The path contains a NUL character.')
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path) || path.startsWith('\\'))
    throw new Problem(
      `"${path}" is absolute; paths start at the root of the folder, such as "a/b.txt".`,
    )
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  if (names.includes('..')) throw new Problem(`"${path}" contains "..", which is not allowed.`)
  if (process.platform === 'win32' && names.some((name) => WINDOWS_TRAPS.test(name)))
    throw new Problem(`"${path}" contains a name that Windows does not allow for files.`)
  return names
}
