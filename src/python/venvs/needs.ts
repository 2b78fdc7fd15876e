import { join } from 'node:path'
import { codeOf, readRegularText } from '@braidwork/core/internal'
import { HostError, isObject } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { areClauses } from './python-versions.ts'

/** The requirements in the pyproject.toml of a Python plugin. */
export interface PythonNeeds {
  /** Supported Python versions, such as `>=3.10,<3.14`. */
  readonly python?: string
  /** Packages to install with their dependencies. */
  readonly packages: readonly string[]
  /** Packages to install without their dependencies. */
  readonly alone: readonly string[]
  /** Plugins of one isolation group share an interpreter with each other only. */
  readonly isolation?: string
}

/** Matches a name with optional extras, versions, URL or marker. It does not match an installer's options. */
const REQUIREMENT = /^[A-Za-z0-9][A-Za-z0-9._-]*(\s*([[(<>=!~;@,]|$)[^\p{Cc}]*)?$/u
const LONGEST_FILE = 1_000_000

/**
 * Reads the requirements of a plugin's folder; they are empty if it has no pyproject.toml.
 * @throws {HostError} MANIFEST_INVALID
 */
export async function readNeeds(folder: string): Promise<PythonNeeds> {
  const file = await readProject(folder)
  const project = tableAt(folder, file, '/project')
  const own = tableAt(folder, tableAt(folder, file, '/tool'), '/tool/braidwork')
  const python = textAt(folder, project, '/project/requires-python')
  if (python !== undefined && !areClauses(python)) {
    throw invalid(
      folder,
      '/project/requires-python',
      `"${python}" must have the form ">=3.9,<3.14"`,
    )
  }
  const isolation = textAt(folder, own, '/tool/braidwork/isolation')
  return {
    ...(python === undefined ? {} : { python }),
    packages: requirementsAt(folder, project, '/project/dependencies'),
    alone: requirementsAt(folder, own, '/tool/braidwork/no-deps'),
    ...(isolation === undefined ? {} : { isolation }),
  }
}

/** Whether packages are required, and with them a virtual environment. */
export function hasPackages({ packages, alone }: PythonNeeds): boolean {
  return packages.length + alone.length > 0
}

type Table = { readonly [key: string]: unknown }

async function readProject(folder: string): Promise<Table> {
  let text: string
  try {
    text = readRegularText(join(folder, 'pyproject.toml'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {}
    throw invalid(folder, '', messageOf(error))
  }
  if (text.length > LONGEST_FILE)
    throw invalid(folder, '', 'it is longer than a million characters')
  const { parse } = await import('smol-toml')
  try {
    return parse(text, { maxDepth: 50 })
  } catch (error) {
    throw invalid(folder, '', messageOf(error).split('\n', 1)[0] ?? '')
  }
}

function tableAt(folder: string, parent: Table, pointer: string): Table {
  const value = parent[keyOf(pointer)]
  if (value === undefined) return {}
  if (isObject(value)) return value
  throw invalid(folder, pointer, 'it must be a table')
}

function textAt(folder: string, parent: Table, pointer: string): string | undefined {
  const value = parent[keyOf(pointer)]
  if (value === undefined || (typeof value === 'string' && value !== '')) return value
  throw invalid(folder, pointer, 'it must be a text')
}

function requirementsAt(folder: string, parent: Table, pointer: string): readonly string[] {
  const value = parent[keyOf(pointer)] ?? []
  if (!Array.isArray(value)) throw invalid(folder, pointer, 'it must be a list')
  return value.map((item: unknown, index) => {
    if (typeof item === 'string' && REQUIREMENT.test(item.trim())) return item.trim()
    const reason = `${JSON.stringify(item)} is not a requirement such as "numpy>=2"`
    throw invalid(folder, `${pointer}/${index}`, reason)
  })
}

function keyOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1)
}

function invalid(folder: string, pointer: string, reason: string): HostError {
  const message = `pyproject.toml of "${folder}" is not valid at ${pointer || '/'}: ${reason}.`
  return new HostError('MANIFEST_INVALID', message, { pointer })
}
