import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import type { Variables } from '../config/index.ts'

/** The path of a user's config file, in the folder that the XDG Base Directory Specification defines. */
export function userFile(name: string, variables: Variables = process.env): string {
  const { XDG_CONFIG_HOME: config = '', HOME: home = homedir() } = variables
  // The specification says that relative paths must be ignored.
  return join(isAbsolute(config) ? config : join(home, '.config'), 'braidwork', name)
}

/** The path of a user's data file, in the folder that the XDG Base Directory Specification defines. */
export function userDataFile(name: string, variables: Variables = process.env): string {
  const { XDG_DATA_HOME: data = '', HOME: home = homedir() } = variables
  return join(isAbsolute(data) ? data : join(home, '.local', 'share'), 'braidwork', name)
}

/** Writes a file under a temporary name and renames it, so that readers never see half of it. */
export function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const written = `${path}.${process.pid}`
  writeFileSync(written, text)
  renameSync(written, path)
}
