import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { HostError, messageOf } from '../errors.ts'
import { isObject } from '../events/index.ts'
import { replaceFile, userFile } from './user-folder.ts'

/** By the real path of a folder, the files that were trusted there and what each had in it, as SHA-256. */
type Trusted = { readonly [folder: string]: { readonly [file: string]: string } }

export type Trust = 'trusted' | 'changed' | 'unknown'

/** The file that trusted folders stand in. */
export function trustFile(): string {
  return userFile('trusted.json')
}

/** Whether a folder was trusted with just these files, as they are now. DESIGN 6 */
export function trustOf(
  folder: string,
  filesOf: (folder: string) => readonly string[],
  store = trustFile(),
): Trust {
  const known = readTrusted(store)[realpathSync(folder)]
  // Nothing of a folder that is not known is read.
  if (!known) return 'unknown'
  const isSame = filesOf(folder).every((file) => known[realpathSync(file)] === hashOf(file))
  return isSame ? 'trusted' : 'changed'
}

/** Trusts a folder's files as they are now. */
export function trust(folder: string, files: readonly string[], store = trustFile()): void {
  const hashes = Object.fromEntries(files.map((file) => [realpathSync(file), hashOf(file)]))
  write(store, { ...readTrusted(store), [realpathSync(folder)]: hashes })
}

/** @returns whether it was trusted */
export function revokeTrust(folder: string, store = trustFile()): boolean {
  const { [realpathSync(folder)]: known, ...others } = readTrusted(store)
  if (known) write(store, others)
  return known !== undefined
}

function write(store: string, trusted: Trusted): void {
  replaceFile(store, `${JSON.stringify(trusted, null, 2)}\n`)
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/** @throws {HostError} CONFIG_INVALID */
function readTrusted(store: string): Trusted {
  if (!existsSync(store)) return {}
  try {
    const content: unknown = JSON.parse(readFileSync(store, 'utf8'))
    if (isObject(content) && Object.values(content).every(isObject)) return content as Trusted
  } catch (error) {
    throw invalid(store, messageOf(error))
  }
  throw invalid(store, 'it is no object of folders')
}

function invalid(store: string, reason: string): HostError {
  return new HostError(
    'CONFIG_INVALID',
    `The list of trusted folders "${store}" cannot be read: ${reason}. Mend it, or delete it and trust the folders again.`,
  )
}
