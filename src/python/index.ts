import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  assertSameVersion,
  type Distribution,
  JOIN,
  type PythonLoader,
  timeoutError,
} from '@braidwork/core/internal'
import { HostError, type Log } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { assertNames, type Description } from './describe-plugin.ts'
import { onExchange } from './exchanges.ts'
import { Interpreter } from './interpreter.ts'
import type { InterpreterLife } from './interpreter-life.ts'
import { joinChunkHooks } from './join-chunk-hooks.ts'
import { loadError, logTraceback } from './load-error.ts'
import { turnOf } from './main-thread.ts'
import { NotBegun } from './not-begun.ts'
import { PythonPlugin, toHostPlugin } from './python-plugin.ts'
import { recordOf } from './records.ts'
import { type Counts, Requests } from './requests.ts'
import {
  baseKey,
  findDistribution,
  findPython,
  hasPackages,
  type PluginPython,
  type Python,
  type PythonNeeds,
  pluginPythonFor,
  readNeeds,
} from './venvs/index.ts'

export type { Counts } from './requests.ts'

export interface PythonOptions {
  /** The base interpreter; by default PYTHON_BIN, the active virtual environment's, or `python3`. */
  readonly executable?: string | undefined
  readonly log: Log
  /** The longest import of a module, in seconds, without the wait for other imports. The default is 30. */
  readonly loadSeconds?: number
  /** The version of the host's core. */
  readonly version?: string
}

const LONGEST_LOAD_SECONDS = 30

/** The Python plugins of one host, in as few interpreters as possible. */
export class PythonPlugins implements PythonLoader {
  readonly #options: PythonOptions
  readonly #requests = new Requests()
  readonly #interpreters = new Map<string, Interpreter>()
  readonly #plugins = new Map<string, Promise<AnyPlugin>>()
  /** The modules of installed distributions, or their folders. Their packages were installed with them. */
  readonly #installed = new Set<string>()
  #python: Promise<Python> | undefined
  /** How many plugins are being loaded. */
  #loading = 0

  /** @throws {HostError} PACKAGE_MISMATCH */
  constructor(options: PythonOptions) {
    assertSameVersion(options, '@braidwork/python')
    this.#options = options
  }

  get counts(): Readonly<Counts> {
    return this.#requests.counts
  }

  /**
   * Loads the plugin of a module. Later calls return the same object.
   * @throws {HostError} PLUGIN_INVALID, PYTHON_MISSING, PYTHON_ENVIRONMENT_MISSING, PYTHON_CRASHED
   */
  load(entry: string): Promise<AnyPlugin> {
    const known = this.#plugins.get(entry)
    if (known) return known
    const loaded = this.#load(entry)
    this.#plugins.set(entry, loaded)
    return loaded
  }

  /**
   * Finds the plugins of a distribution installed in the base interpreter; `undefined` if it is not installed.
   * @throws {HostError} MANIFEST_INVALID, PYTHON_MISSING
   */
  async distribution(name: string): Promise<Distribution | undefined> {
    const found = await findDistribution(name, await this.#found())
    for (const plugin of found?.plugins ?? []) this.#installed.add(realpathSync(plugin.entry))
    if (found?.folder !== undefined) this.#installed.add(realpathSync(found.folder))
    return found
  }

  /** The path of the base interpreter. @throws {HostError} PYTHON_MISSING */
  async place(): Promise<string> {
    return (await this.#found()).executable
  }

  /** Ends all interpreters. */
  async close(): Promise<void> {
    await Promise.all([...this.#interpreters.values()].map((one) => one.close()))
  }

  #found(): Promise<Python> {
    this.#python ??= findPython({ configured: this.#options.executable })
    return this.#python
  }

  async #load(entry: string): Promise<AnyPlugin> {
    this.#loading += 1
    try {
      return await this.#loadNow(entry)
    } finally {
      this.#loading -= 1
      if (this.#loading === 0) await this.#endUnused()
    }
  }

  /** Ends the interpreters whose plugins all failed to load: no plugin is left that would end them. */
  async #endUnused(): Promise<void> {
    const unused = [...this.#interpreters].filter(([, interpreter]) => interpreter.isUnused)
    for (const [key] of unused) this.#interpreters.delete(key)
    await Promise.all(unused.map(([, interpreter]) => interpreter.close()))
  }

  async #loadNow(entry: string): Promise<AnyPlugin> {
    const folder = projectOf(dirname(entry))
    const needs = await this.#needsOf(entry, folder)
    const python = await pluginPythonFor({ folder, needs }, await this.#baseFor(needs))
    const { loadSeconds: seconds = LONGEST_LOAD_SECONDS } = this.#options
    const module = { entry, python, folder, seconds }
    const shared = await this.#loadIn(this.#interpreterOf(python.key, python), module)
    if (shared) return shared
    // In the shared interpreter another plugin has a module of the same name, so this one gets its own.
    const own = this.#interpreterOf(`${python.key} ${folder}`, python)
    const alone = await this.#loadIn(own, { ...module, isAlone: true })
    if (alone) return alone
    throw new HostError(
      'PLUGIN_INVALID',
      'another plugin has already loaded modules of the same names',
    )
  }

  async #needsOf(entry: string, folder: string): Promise<PythonNeeds> {
    const needs = await readNeeds(folder)
    const isInstalled = [entry, folder].some((path) => this.#installed.has(realpathSync(path)))
    return isInstalled ? { ...needs, packages: [], alone: [] } : needs
  }

  /** The base interpreter. If the plugin runs in it, it is started right away. */
  #baseFor(needs: PythonNeeds): Promise<Python> {
    const begin = (executable: string) =>
      this.#interpreterOf(baseKey(needs), { executable }).python()
    this.#python ??= findPython(
      { configured: this.#options.executable },
      hasPackages(needs) ? undefined : begin,
    )
    return this.#python
  }

  #interpreterOf(key: string, { executable }: Pick<PluginPython, 'executable'>): Interpreter {
    const known = this.#interpreters.get(key)
    if (known) return known
    const interpreter = new Interpreter({ executable, log: this.#options.log })
    this.#requests.listen(interpreter)
    interpreter.on('record', (message) => this.#options.log(recordOf(message)))
    interpreter.on('exchange', onExchange)
    this.#interpreters.set(key, interpreter)
    return interpreter
  }

  /** Loads a module; `undefined` if another plugin's modules have the same names in this interpreter. */
  async #loadIn(interpreter: Interpreter, module: Module): Promise<AnyPlugin | undefined> {
    let plugin: PythonPlugin | undefined
    let clash = false
    await interpreter.load(async (life) => {
      const described = await describe(life, module).catch((error: unknown) => {
        if (error instanceof NotBegun) throw error
        const fault = loadError(error, module.folder)
        logTraceback(this.#options.log, fault, module.folder)
        if (!plugin) throw fault
        plugin.setNumber(life, fault)
        return undefined
      })
      if (described === undefined) return
      clash = described === 'clash'
      if (described === 'clash') return
      plugin ??= new PythonPlugin(
        { description: described, entry: module.entry },
        interpreter,
        this.#requests,
      )
      plugin.setNumber(life, described.plugin)
    })
    if (clash || !plugin) return undefined
    return { ...toHostPlugin(plugin), [JOIN]: joinChunkHooks }
  }
}

interface Module {
  readonly entry: string
  readonly folder: string
  readonly python: PluginPython
  readonly seconds: number
  readonly isAlone?: boolean
}

async function describe(
  life: InterpreterLife,
  { entry, python, seconds, isAlone = false }: Module,
): Promise<Description | 'clash'> {
  const { paths } = python
  const turn = turnOf(seconds)
  const value = { entry, paths: [dirname(entry), ...paths], alone: isAlone, t: seconds }
  const { val } = await life
    .request('load', value, { turn, keeping: { keeps: false } })
    .catch((error: unknown) => {
      const isBegun = turn.since > 0 && !(error instanceof NotBegun)
      // It was interrupted, or its interpreter was ended for it.
      const isLate = isBegun && performance.now() - turn.since >= seconds * 1000
      throw isLate ? timeoutError(seconds) : error
    })
  const description = val as Description | { readonly clash: string }
  if ('clash' in description) return 'clash'
  assertNames(description)
  return description
}

/** The folder of the pyproject.toml for a module: the module's own folder, or one above it in the package. */
function projectOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'pyproject.toml'))) return at
    if (existsSync(join(at, 'package.json')) || dirname(at) === at) return folder
  }
}
