import { realpathSync } from 'node:fs'
import { pythonLoader } from '@braidwork/core/internal'
import { messageOf } from '@braidwork/plugin/internal'
import { findPython, listPythons, type Python, readVenvs, shimOf } from '@braidwork/python/internal'
import { jsonText, visible } from './characters.ts'
import {
  examinePlugin,
  type FoundPlugin,
  type PluginReport,
  pythonPluginsHere,
} from './examined-plugins.ts'
import { EXIT, reportDiagnostics } from './exit.ts'
import { stylesOf, table } from './terminal.ts'

interface Report {
  /** The interpreter that plugins run in, or the reason why there is none. */
  readonly base: Python | { readonly fault: string }
  /** A launcher script (such as pyenv's) that looks up the interpreter at each start. */
  readonly shim?: string
  readonly others: readonly Python[]
  readonly plugins: readonly PluginReport[]
  readonly venvs: readonly VenvReport[]
}

interface VenvReport {
  readonly folder: string
  readonly packages: readonly string[]
  /** Names of the plugins, among those found from here, that use the environment. */
  readonly plugins: readonly string[]
  readonly fault?: string
}

interface DoctorOptions {
  readonly config?: string
  readonly json?: boolean
}

/** `braidwork doctor`: lists interpreters, virtual environments and Python plugins, and the faults of each. */
export async function doctorCommand({ json = false, ...options }: DoctorOptions): Promise<number> {
  const python = pythonLoader()
  try {
    const { plugins, diagnostics, isFailed } = await pythonPluginsHere(options, python)
    const report = await examine(plugins)
    if (json) process.stdout.write(`${jsonText(report, 2)}\n`)
    else {
      reportDiagnostics(diagnostics)
      show(report)
    }
    const isOff = report.plugins.some(({ fault }) => fault !== undefined)
    return isOff || isFailed ? EXIT.failed : EXIT.ok
  } finally {
    await python.close()
  }
}

async function examine(found: readonly FoundPlugin[]): Promise<Report> {
  const base = await findPython().catch((error: unknown) => ({ fault: messageOf(error) }))
  const plugins = await Promise.all(found.map((plugin) => examinePlugin(plugin, base)))
  const pythons = await listPythons()
  const shim = 'fault' in base ? undefined : await shimOf()
  const venvs = (await readVenvs()).map(({ executable, ...venv }) => ({
    ...venv,
    plugins: plugins.flatMap((one) => (one.executable === executable ? [one.plugin] : [])),
  }))
  const isOther = ({ executable }: Python) =>
    'fault' in base || realpathSync(executable) !== realpathSync(base.executable)
  const others = pythons.filter(isOther)
  return { base, ...(shim === undefined ? {} : { shim }), others, plugins, venvs }
}

function show({ base, shim, others, plugins, venvs }: Report): void {
  const { dim } = stylesOf(process.stdout)
  if ('fault' in base) line(`No Python: ${base.fault}`)
  else {
    line(`Python ${base.version} at ${base.executable}`)
    if (shim)
      line(
        dim(
          `the script ${shim} looks it up at each start; set PYTHON_BIN=${base.executable} to skip that`,
        ),
      )
  }
  for (const { version, executable } of others) {
    line(dim(`also ${version} at ${executable}; set PYTHON_BIN=${executable} to use it`))
  }
  if (plugins.length > 0) {
    const rows = plugins.map(({ plugin, packages, fault }) => [
      plugin,
      fault === undefined ? 'well' : 'off',
      packages.join(', ') || 'nothing',
    ])
    process.stdout.write(`\n${table([['PLUGIN', 'STATE', 'NEEDS'], ...rows], dim)}`)
  }
  for (const { plugin, fault } of plugins) if (fault) line(`${plugin}: ${fault}`)
  if (venvs.length > 0) {
    const rows = venvs.map((one) => [one.folder, stateOf(one), one.packages.join(', ')])
    process.stdout.write(`\n${table([['VIRTUAL ENVIRONMENT', 'STATE', 'PACKAGES'], ...rows], dim)}`)
  }
}

function stateOf({ fault, plugins }: VenvReport): string {
  if (fault) return `${fault}; delete it`
  return plugins.length > 0 ? `used by ${plugins.join(', ')}` : 'used by no plugin found from here'
}

function line(text: string): void {
  process.stdout.write(`${visible(text)}\n`)
}
