import { existsSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { providerError } from '@braidwork/model-api/exchange'
import { isObject, type JsonObject } from '@braidwork/plugin'
import { NAME } from './settings.ts'

/** An export of an npm package. */
export interface NamedExport {
  readonly package: string
  /** `.`, or a path such as `./anthropic`. */
  readonly path: string
  /** The folder that is searched first, and then those above it. */
  readonly from: string
}

const SETTING = `/settings/${NAME}/npm_package`
const MODULES = '/node_modules/'

/** Splits a name of a package, or the path of an installed one, into package and path of the export. */
export function exportNamed(name: string, folder: string): NamedExport {
  const slashed = name.replaceAll('\\', '/')
  const at = isAbsolute(name) ? slashed.lastIndexOf(MODULES) : -1
  const parts = (at === -1 ? slashed : slashed.slice(at + MODULES.length)).split('/')
  const length = parts[0]?.startsWith('@') ? 2 : 1
  return {
    package: parts.slice(0, length).join('/'),
    path: ['.', ...parts.slice(length)].join('/'),
    from: at === -1 ? folder : slashed.slice(0, at),
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

function folderOf({ package: name, from }: NamedExport): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const installed = join(folder, 'node_modules', name)
    if (existsSync(join(installed, 'package.json'))) return installed
    if (folder === dirname(folder)) return undefined
  }
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

function missing({ package: name, from }: NamedExport): Error {
  const message = `The provider "${NAME}" needs the package "${name}", which is not installed in "${from}" or above it. Run "npm install ${name}" there.`
  return providerError('PACKAGE_MISSING', message, { pointer: SETTING, retryable: false })
}

function notExported({ package: name, path }: NamedExport): Error {
  const what = path === '.' ? 'no module to import' : `no export "${path}"`
  const message = `The package "${name}" has ${what}. Correct settings.${NAME}.npm_package.`
  return providerError('SETTINGS_INVALID', message, { pointer: SETTING, retryable: false })
}
