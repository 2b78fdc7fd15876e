import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isFolder } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { findPython } from '@braidwork/python/internal'
import { runChild } from '../run-child.ts'
import { offByDefault } from './off-by-default.ts'
import { packageIn } from './places.ts'
import { manifestText, pluginsIn } from './pypi-manifest.ts'
import { distributionOf, type PackageSpec } from './spec.ts'
import type { Staged } from './staged.ts'

/** Wheels only: the build of another distribution would run its code. */
const INSTALL = ['-m', 'pip', 'install', '--no-deps', '--only-binary', ':all:', '--no-compile']
const QUIET = ['--quiet', '--no-input', '--disable-pip-version-check', '--no-warn-script-location']
const MOST_LINES = 3

/** The report of pip (version 1). */
interface Report {
  readonly install: readonly {
    readonly metadata: {
      readonly version: string
      readonly summary?: string
      readonly requires_dist?: readonly string[]
    }
    readonly download_info: {
      readonly archive_info?: { readonly hashes?: { readonly sha256?: string } }
    }
  }[]
}

/**
 * Unpacks the wheel of a distribution from the index of pip's configuration into a folder, without running its code. It
 * gets a manifest with its entry points, by which its virtual environment is made as for any folder with a plugin.
 * @throws {HostError} PACKAGE_INSTALL_FAILED, PYTHON_MISSING, ABORTED
 */
export async function stageFromPypi(
  installation: string,
  { name, range = '' }: PackageSpec,
  signal: AbortSignal,
): Promise<Staged> {
  const { executable } = await findPython()
  const distribution = distributionOf(name)
  const folder = packageIn(installation, name)
  const report = join(installation, 'report.json')
  const into = ['--target', folder, '--report', report]
  const args = [...INSTALL, ...QUIET, ...into, `${distribution}${range}`]
  const { status, err } = await runChild(executable, args, { signal })
  if (status !== 0) throw failed(`${name}${range}`, saidIn(err))
  const { version, summary, requires_dist: needs = [], hash } = await readReport(report, name)
  const found = pluginsIn(await readPoints(folder), folder)
  const entries = found.map(({ entry }) => join(folder, entry))
  const off = await offByDefault(executable, entries, signal)
  const plugins = found.map((one) => ({ ...one, isOff: off.has(join(folder, one.entry)) }))
  const text = manifestText({ name, needs, version, summary, plugins })
  await writeFile(join(folder, 'pyproject.toml'), text)
  return { name, version, integrity: `sha256:${hash}`, installation, folder, packages: [] }
}

async function readReport(path: string, name: string) {
  try {
    const { install } = JSON.parse(await readFile(path, 'utf8')) as Report
    const { metadata, download_info: info } = install[0] ?? {}
    const hash = info?.archive_info?.hashes?.sha256
    if (metadata && hash !== undefined) return { ...metadata, hash }
  } catch (error) {
    throw failed(name, `the report of pip cannot be read: ${messageOf(error)}`)
  }
  throw failed(name, 'the index gives no hash of it, so its content cannot be checked')
}

/** The text of the entry points. Empty if the distribution has none. */
async function readPoints(folder: string): Promise<string> {
  const names = isFolder(folder) ? await readdir(folder) : []
  const info = names.find((name) => name.endsWith('.dist-info')) ?? ''
  return readFile(join(folder, info, 'entry_points.txt'), 'utf8').catch(() => '')
}

function saidIn(err: string): string {
  const lines = err.split('\n').filter((line) => line.trim() !== '')
  return `pip says: ${lines.slice(-MOST_LINES).join(' ').slice(0, 600)}`
}

function failed(spec: string, reason: string): HostError {
  return new HostError(
    'PACKAGE_INSTALL_FAILED',
    `"${spec}" could not be installed: ${reason}. Nothing was changed.`,
  )
}
