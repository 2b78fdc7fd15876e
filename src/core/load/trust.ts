import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { HostError, isObject } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { replaceFile, userFile } from './user-folder.ts'

/** The content that was trusted, by real path: the SHA-256 of a file, or `package` for an installed package. */
export type Pins = { readonly [path: string]: string }

/** The pins of each folder, by its real path. Null if trust in the folder was withdrawn. */
type Trusted = { readonly [folder: string]: Pins | null }

/** The pin of a package that npm installed. npm is responsible for its content; trust covers only its name. */
export const PACKAGE = 'package'

/** The file that lists the trusted folders. Undefined if the user has no home folder, and trusts none. */
export function trustFile(): string | undefined {
  return userFile('trusted.json')
}

/** The pins of a folder. Undefined if the folder is unknown, null if trust was withdrawn. */
export function pinsOf(folder: string, store = trustFile()): Pins | null | undefined {
  const trusted = readTrusted(store)
  const path = realPathOf(folder)
  return Object.hasOwn(trusted, path) ? trusted[path] : undefined
}

/** Trusts a folder with its present content. @throws {HostError} ENV_MISSING if the user has no home folder */
export function pin(folder: string, pins: Pins, store = trustFile()): void {
  write(store, { ...readTrusted(store), [realPathOf(folder)]: pins })
}

/** Withdraws trust from a folder. @returns whether it was trusted */
export function revokeTrust(folder: string, store = trustFile()): boolean {
  const known = pinsOf(folder, store)
  // Null instead of nothing: a folder that has braidwork installed would otherwise be trusted again at its next use.
  write(store, { ...readTrusted(store), [realPathOf(folder)]: null })
  return isObject(known)
}

/** The trusted folders whose pins include a file. */
export function foldersPinning(file: string, store = trustFile()): readonly string[] {
  const path = realPathOf(file)
  const folders = Object.entries(readTrusted(store))
  return folders.flatMap(([folder, pins]) => (pins && Object.hasOwn(pins, path) ? [folder] : []))
}

/** All files and packages that the pins of any folder include. */
export function allPinned(store = trustFile()): readonly string[] {
  return Object.values(readTrusted(store)).flatMap((pins) => Object.keys(pins ?? {}))
}

/** The real paths of the folders that a person has trusted. */
export function allTrusted(store = trustFile()): readonly string[] {
  return Object.entries(readTrusted(store)).flatMap(([folder, pins]) => (pins ? [folder] : []))
}

export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** The real path as the file system spells it, because two spellings of a name may be the same file. */
export function realPathOf(path: string): string {
  return realpathSync.native(path)
}

function write(store: string | undefined, trusted: Trusted): void {
  replaceFile(store, `${JSON.stringify(trusted, null, 2)}\n`)
}

/** Reads the list of trusted folders. @throws {HostError} CONFIG_INVALID */
function readTrusted(store: string | undefined): Trusted {
  if (store === undefined || !existsSync(store)) return {}
  try {
    const content: unknown = JSON.parse(readFileSync(store, 'utf8'))
    if (isObject(content) && Object.values(content).every(isRecord)) return content as Trusted
  } catch (error) {
    throw invalid(store, messageOf(error))
  }
  throw invalid(store, 'it is not an object with folders as keys')
}

function isRecord(value: unknown): boolean {
  return value === null || isObject(value)
}

function invalid(store: string, reason: string): HostError {
  return new HostError(
    'CONFIG_INVALID',
    `The list of trusted folders "${store}" cannot be read: ${reason}. Correct the file, or delete it and trust the folders again.`,
  )
}
