import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, join, normalize } from 'node:path'

/** The endings of files that have imports. */
export const CODE: ReadonlySet<string> = new Set(['.ts', '.mts', '.mjs'])
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+)['"]/g

/** A file and the files that it imports, directly or not. @param within the folder beyond which no import is followed */
export function closureOf(
  root: string,
  file: string,
  within = '',
  found = new Set<string>(),
): Set<string> {
  if (found.has(file) || !file.startsWith(within) || !existsSync(join(root, file))) return found
  found.add(file)
  if (!CODE.has(extname(file))) return found
  for (const [, path = ''] of readFileSync(join(root, file), 'utf8').matchAll(IMPORT)) {
    closureOf(root, normalize(join(dirname(file), path)), within, found)
  }
  return found
}
