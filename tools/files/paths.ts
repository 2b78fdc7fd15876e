import { Problem } from './problem.ts'

const LONGEST = 1_000
/** Names that Windows takes for devices, streams of files, or other names. */
const WINDOWS_TRAPS = /[\\:*?"<>|]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * The names that a path of the model goes through, from the root down. No way leads up or starts elsewhere.
 * @throws {Problem}
 */
export function namesOf(path: string): readonly string[] {
  if (path.length > LONGEST) throw new Problem('The path is too long.')
  if (path.includes('\0')) throw new Problem('The path has a NUL character.')
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path) || path.startsWith('\\'))
    throw new Problem(
      `"${path}" is absolute; paths start at the root of the folder, such as "a/b.txt".`,
    )
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  if (names.includes('..'))
    throw new Problem(`"${path}" leads upwards with ".."; that is not allowed.`)
  if (process.platform === 'win32' && names.some((name) => WINDOWS_TRAPS.test(name)))
    throw new Problem(`"${path}" has a name that Windows does not take for a file's.`)
  return names
}
