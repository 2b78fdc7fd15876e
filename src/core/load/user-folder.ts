import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import type { Variables } from '../config/index.ts'

/** A file of the user's own, in the folder that the XDG Base Directory Specification names for configs. */
export function userFile(name: string, variables: Variables = process.env): string {
  const { XDG_CONFIG_HOME: config = '', HOME: home = homedir() } = variables
  // Of the specification: a relative path is to be ignored.
  return join(isAbsolute(config) ? config : join(home, '.config'), 'braidwork', name)
}

/** A file of the user's own data, in the folder that the same specification names for it. */
export function userDataFile(name: string, variables: Variables = process.env): string {
  const { XDG_DATA_HOME: data = '', HOME: home = homedir() } = variables
  return join(isAbsolute(data) ? data : join(home, '.local', 'share'), 'braidwork', name)
}

/** Writes a file beside the one that is meant, then in its place, so that it is never half there. */
export function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const written = `${path}.${process.pid}`
  writeFileSync(written, text)
  renameSync(written, path)
}
