import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { HostError, isObject } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { replaceFile, userFile } from './user-folder.ts'

/** By real path, what trust in a folder is about: the SHA-256 of a file's content, or `package` for a package. */
export type Pins = { readonly [path: string]: string }

/** By the real path of a folder, what it was trusted with; null where it is not trusted, whatever it installs. */
type Trusted = { readonly [folder: string]: Pins | null }

/** A package that npm installed: what is in it is npm's, and trust is about its being named. */
export const PACKAGE = 'package'

/** The file that trusted folders stand in. */
export function trustFile(): string {
  return userFile('trusted.json')
}

/** What a folder was trusted with; undefined where nothing is known of it, null where trust was taken back. */
export function pinsOf(folder: string, store = trustFile()): Pins | null | undefined {
  const trusted = readTrusted(store)
  const path = realPathOf(folder)
  return Object.hasOwn(trusted, path) ? trusted[path] : undefined
}

/** Trusts a folder with what it has now. */
export function pin(folder: string, pins: Pins, store = trustFile()): void {
  write(store, { ...readTrusted(store), [realPathOf(folder)]: pins })
}

/** @returns whether it was trusted */
export function revokeTrust(folder: string, store = trustFile()): boolean {
  const known = pinsOf(folder, store)
  // A folder that installs braidwork would else be trusted again at its next use.
  write(store, { ...readTrusted(store), [realPathOf(folder)]: null })
  return isObject(known)
}

/** The trusted folders that a file decides for. */
export function foldersPinning(file: string, store = trustFile()): readonly string[] {
  const path = realPathOf(file)
  const folders = Object.entries(readTrusted(store))
  return folders.flatMap(([folder, pins]) => (pins && Object.hasOwn(pins, path) ? [folder] : []))
}

/** All files and packages that some folder is trusted with. */
export function allPinned(store = trustFile()): readonly string[] {
  return Object.values(readTrusted(store)).flatMap((pins) => Object.keys(pins ?? {}))
}

export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** As the file system spells it: two spellings of one name are one file. */
export function realPathOf(path: string): string {
  return realpathSync.native(path)
}

function write(store: string, trusted: Trusted): void {
  replaceFile(store, `${JSON.stringify(trusted, null, 2)}\n`)
}

/** @throws {HostError} CONFIG_INVALID */
function readTrusted(store: string): Trusted {
  if (!existsSync(store)) return {}
  try {
    const content: unknown = JSON.parse(readFileSync(store, 'utf8'))
    if (isObject(content) && Object.values(content).every(isRecord)) return content as Trusted
  } catch (error) {
    throw invalid(store, messageOf(error))
  }
  throw invalid(store, 'it is no object of folders')
}

function isRecord(value: unknown): boolean {
  return value === null || isObject(value)
}

function invalid(store: string, reason: string): HostError {
  return new HostError(
    'CONFIG_INVALID',
    `The list of trusted folders "${store}" cannot be read: ${reason}. Mend it, or delete it and trust the folders again.`,
  )
}
