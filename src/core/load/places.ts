import { dirname, isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HostError } from '@braidwork/plugin'
import { hostFolder, isFile, isFolder, nearestPackage, ownFolder, realPathOr } from './locate.ts'

/**
 * The folders of the program, from which names of packages are searched upwards: the one of its main module, which in a
 * workspace has packages of its own, then the one of Braidwork. The working directory does not count, because anybody may
 * have written its files.
 */
export function programFolders(): readonly string[] {
  const folders = [mainFolder(), hostFolder() ?? ownPackage()]
  return [...new Set(folders.filter((folder) => folder !== undefined))]
}

function ownPackage(): string | undefined {
  const own = ownFolder()
  return own && (nearestPackage(own) ?? own)
}

/** The options with which Node runs a text. There is no main module then, and `argv` has only arguments of the text. */
const RUNS_TEXT = /^(?:-e|--eval|-p|-pe|--print)(?:=|$)/

/** The real folder of the main module. Undefined if there is none, as in Electron, where files to open are arguments. */
function mainFolder(): string | undefined {
  const [, main = ''] = process.argv
  const isText = process.execArgv.some((one) => RUNS_TEXT.test(one))
  if (isText || !isAbsolute(main) || 'electron' in process.versions) return undefined
  const real = realPathOr(main)
  return isFolder(real) ? real : dirname(real)
}

/**
 * The path of a reference that is a `file:` URL; any other reference as it is.
 * @throws {HostError} PLUGIN_UNKNOWN, if a URL names no file
 */
export function withoutUrl(reference: string | URL): string {
  if (!isUrl(reference)) return reference
  const path = pathOf(reference)
  if (path !== undefined) return path
  const fault = 'the URL names no file of this machine; give a "file:" URL, such as'
  throw new HostError('PLUGIN_UNKNOWN', `${fault} import.meta.resolve('a-package')`)
}

/**
 * The folder that a program names by its path or URL, or by those of a file in it, such as `import.meta.url`. Undefined
 * if there is none.
 */
export function folderNamed(given: unknown): string | undefined {
  const path = typeof given === 'string' || isUrl(given) ? pathOf(given) : undefined
  if (path === undefined || path === '') return undefined
  const absolute = resolve(path)
  if (isFolder(absolute)) return absolute
  return isFile(absolute) ? dirname(absolute) : undefined
}

function isUrl(value: unknown): value is string | URL {
  return value instanceof URL || (typeof value === 'string' && /^file:/i.test(value))
}

function pathOf(given: string | URL): string | undefined {
  if (!isUrl(given)) return given
  try {
    return fileURLToPath(given)
  } catch {
    // It has another protocol, or the host of another machine.
    return undefined
  }
}
