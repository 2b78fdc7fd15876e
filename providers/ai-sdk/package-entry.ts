import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { providerError } from '@braidwork/model-api/exchange'
import { isObject, type JsonObject } from '@braidwork/plugin'
import { NAME } from './settings.ts'

/** An export of an npm package. */
export interface NamedExport {
  readonly package: string
  /** `.`, or a path such as `./anthropic`. */
  readonly path: string
  /** The folders that are searched, each with those above it. */
  readonly places: readonly string[]
}

const SETTING = `/settings/${NAME}/npm_package`
const MODULES = '/node_modules/'

/** Splits a name of a package, or the path of an installed one, into package and path of the export. */
export function exportNamed(name: string): NamedExport {
  const slashed = name.replaceAll('\\', '/')
  const at = isAbsolute(name) ? slashed.lastIndexOf(MODULES) : -1
  const parts = (at === -1 ? slashed : slashed.slice(at + MODULES.length)).split('/')
  const length = parts[0]?.startsWith('@') ? 2 : 1
  return {
    package: parts.slice(0, length).join('/'),
    path: ['.', ...parts.slice(length)].join('/'),
    places: at === -1 ? programFolders() : [slashed.slice(0, at)],
  }
}

/**
 * Finds the module that an `import` of the package would load in a folder.
 * @throws PACKAGE_MISSING, or SETTINGS_INVALID if the package has no such export
 */
export function entryOf(named: NamedExport): string {
  const folder = folderOf(named)
  if (folder === undefined) throw missing(named)
  const { exports, main = 'index.js' } = readJson(join(folder, 'package.json'))
  const target = exports === undefined ? mainOf(named.path, main) : targetOf(exports, named.path)
  if (target === undefined) throw notExported(named)
  return join(folder, target)
}

/**
 * The folder of the program's main module, which in a workspace has packages of its own, and the one of this module. The
 * working directory does not count, because anybody may have written its files.
 */
function programFolders(): readonly string[] {
  const [, main = ''] = process.argv
  const isText = process.execArgv.some((one) => /^(?:-e|--eval|-p|-pe|--print)(?:=|$)/.test(one))
  const isMain = !isText && isAbsolute(main) && !('electron' in process.versions)
  const own: string | undefined = import.meta.url
  return [
    ...(isMain ? [dirname(existsSync(main) ? realpathSync(main) : main)] : []),
    ...(own?.startsWith('file:') ? [dirname(fileURLToPath(own))] : []),
  ]
}

function folderOf({ package: name, places }: NamedExport): string | undefined {
  return places
    .flatMap(upwards)
    .map((folder) => join(folder, 'node_modules', name))
    .find((installed) => existsSync(join(installed, 'package.json')))
}

function upwards(folder: string): readonly string[] {
  return folder === dirname(folder) ? [folder] : [folder, ...upwards(dirname(folder))]
}

function readJson(path: string): JsonObject {
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
  return isObject(value) ? value : {}
}

function mainOf(path: string, main: unknown): string | undefined {
  return path === '.' ? String(main) : path
}

/** The file of an export: `exports` is that of `.`, or has the exports by their paths. */
function targetOf(exports: unknown, path: string): string | undefined {
  const isByPath = isObject(exports) && Object.keys(exports).some((key) => key.startsWith('.'))
  if (!isByPath) return path === '.' ? fileOf(exports) : undefined
  return Object.hasOwn(exports, path) ? fileOf(exports[path]) : undefined
}

const CONDITIONS = ['node', 'import', 'module-sync', 'default']

/** The first file whose conditions an `import` in Node meets. */
function fileOf(target: unknown): string | undefined {
  if (typeof target === 'string') return target
  if (Array.isArray(target)) return fileOf(target[0])
  if (!isObject(target)) return undefined
  for (const [condition, inner] of Object.entries(target)) {
    const file = CONDITIONS.includes(condition) ? fileOf(inner) : undefined
    if (file !== undefined) return file
  }
  return undefined
}

function missing({ package: name, places }: NamedExport): Error {
  const searched = places.map((place) => `"${place}"`).join(', ')
  const message = `The provider "${NAME}" needs the package "${name}", which is not installed in ${searched} or above. Run "npm install ${name}" there.`
  return providerError('PACKAGE_MISSING', message, { pointer: SETTING, retryable: false })
}

function notExported({ package: name, path }: NamedExport): Error {
  const what = path === '.' ? 'no module to import' : `no export "${path}"`
  const message = `The package "${name}" has ${what}. Correct settings.${NAME}.npm_package.`
  return providerError('SETTINGS_INVALID', message, { pointer: SETTING, retryable: false })
}
