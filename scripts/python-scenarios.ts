import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOOKS } from '../src/plugin/hooks.ts'
import type { AnyPlugin } from '../src/plugin/plugin.ts'
import { PythonPlugins } from '../src/python/index.ts'
import { buildPlugins } from './declared-plugins.ts'
import type { Declared, Scenario } from './scenario.ts'

/** Which plugins of a scenario run in Python: all, or every other one. */
export type Languages = 'python' | 'mixed'

/** The number of hooks that ran in each language, and of round trips between the languages. */
export interface Ran {
  readonly typescript: number
  readonly python: number
  readonly crossings: number
}

/** Runs the plugins of scenarios in Python, as objects of the oracle's own class. */
export class PythonScenarios {
  readonly #python = new PythonPlugins({ log: () => undefined })
  readonly #languages: Languages
  readonly #oracle: string
  readonly #folder: string
  #scenarios = 0
  #typescript = 0

  private constructor(languages: Languages, oracle: string, folder: string) {
    this.#languages = languages
    this.#oracle = oracle
    this.#folder = folder
  }

  /** @param oracle the path of `oracle.py` */
  static async make(languages: Languages, oracle: string): Promise<PythonScenarios> {
    const folder = await mkdtemp(join(tmpdir(), 'braidwork-oracle-'))
    return new PythonScenarios(languages, oracle, folder)
  }

  get ran(): Ran {
    const { hooks, crossings } = this.#python.counts
    return { typescript: this.#typescript, python: hooks, crossings }
  }

  /** Makes the plugins of a scenario; the provider is the first. */
  readonly build = async (scenario: Scenario): Promise<readonly AnyPlugin[]> => {
    const folder = join(this.#folder, `scenario_${this.#scenarios++}`)
    await mkdir(folder)
    const plugins = await Promise.all(
      buildPlugins(scenario).map(async (plugin, at) => {
        const declared = at === 0 ? scenario.provider : scenario.plugins[at - 1]
        const isPython = this.#languages === 'python' || at % 2 === 0
        if (!isPython || !declared) return this.#counted(plugin)
        return this.#load(join(folder, `plugin_${at}.py`), declared)
      }),
    )
    await rm(folder, { recursive: true })
    return plugins
  }

  async close(): Promise<void> {
    await this.#python.close()
    await rm(this.#folder, { recursive: true })
  }

  async #load(path: string, declared: Declared): Promise<AnyPlugin> {
    await writeFile(path, moduleOf(this.#oracle, declared))
    const plugin = await this.#python.load(path)
    return plugin.kind === 'provider' ? chunkByChunk(plugin) : plugin
  }

  #counted(plugin: AnyPlugin): AnyPlugin {
    const hooks = Object.entries(plugin).flatMap(([name, member]) => {
      if (!(name in HOOKS) || typeof member !== 'function') return []
      const counting = (...args: unknown[]): unknown => {
        this.#typescript += 1
        return Reflect.apply(member, plugin, args)
      }
      return [[name, counting]]
    })
    return { ...plugin, ...(Object.fromEntries(hooks) as object) }
  }
}

/** The Python module of one plugin. The oracle module is imported once and shared. */
function moduleOf(oracle: string, declared: Declared): string {
  return `import importlib.util, json, sys

if "oracle" not in sys.modules:
    spec = importlib.util.spec_from_file_location("oracle", ${JSON.stringify(oracle)})
    sys.modules["oracle"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules["oracle"])

plugin = sys.modules["oracle"].DeclaredPlugin(json.loads(${JSON.stringify(JSON.stringify(declared))}))
`
}

/** Yields chunks one by one even if several arrived together, since the oracle counts partials per chunk. */
function chunkByChunk(plugin: AnyPlugin): AnyPlugin {
  const open = plugin['stream'] as (...args: unknown[]) => Promise<AsyncIterable<unknown>>
  return {
    ...plugin,
    stream: async function* (...args: unknown[]) {
      for await (const pulled of await open(...args)) {
        if (Array.isArray(pulled)) yield* pulled
        else yield pulled
      }
    },
  }
}
