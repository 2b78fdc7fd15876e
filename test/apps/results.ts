import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { APPS, type App, FOLDER, folderOf } from './apps.ts'

export const CASES = [
  'plain',
  'streamed',
  'client tool',
  'host tool',
  'structured',
  'turns',
  'image',
  'stop',
  'errors',
] as const

/** What a program prints for each of its cases. */
export interface Line {
  /** The row of the table: an API, or a way to connect. */
  readonly api: string
  readonly case: string
  readonly outcome: 'works' | 'fails' | 'cannot'
  readonly why?: string
}

export interface AppResult {
  readonly versions: { readonly [packageName: string]: string }
  readonly lines: readonly Line[]
  /** Why the application was not run. */
  readonly notRun?: string
}

export interface Results {
  readonly [app: string]: AppResult
}

export const RESULTS_PATH = join(FOLDER, 'results.json')

export function readResults(): Results {
  return JSON.parse(readFileSync(RESULTS_PATH, 'utf8')) as Results
}

/** Replaces the results of the applications that were run, and drops those of applications that are gone. */
export function writeResults(results: Results): void {
  const all = { ...readResults(), ...results }
  const known = APPS.flatMap(({ name }) => (all[name] ? [[name, all[name]] as const] : []))
  writeFileSync(RESULTS_PATH, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`)
}

/** The versions that the lockfile of an application has of its packages. */
export function versionsOf(app: App): AppResult['versions'] {
  const read = app.language === 'python' ? pinnedIn : lockedIn
  const versions = read(folderOf(app))
  return Object.fromEntries(app.packages.map((name) => [name, versions(name)]))
}

function pinnedIn(folder: string): (name: string) => string {
  const lines = readFileSync(join(folder, 'requirements.txt'), 'utf8').split('\n')
  return (name) => found(name, lines.find((line) => line.startsWith(`${name}==`))?.split('==')[1])
}

function lockedIn(folder: string): (name: string) => string {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: { [path: string]: { version?: string } }
  }
  return (name) => found(name, lock.packages[`node_modules/${name}`]?.version)
}

function found(name: string, version: string | undefined): string {
  if (version === undefined) throw new Error(`The lockfile has no package "${name}".`)
  return version
}
