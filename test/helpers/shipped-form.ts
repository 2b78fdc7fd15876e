import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { shippedPlugins } from '../../scripts/shipped-plugins.ts'
import { type ConfigLayer, createHost, type Host } from '../../src/core/index.ts'
import type { Kind } from '../../src/plugin/kinds.ts'
import { pythonOf } from './python.ts'
import { ROOT } from './source-files.ts'

/** A shipped plugin, as a host takes it. */
interface ShippedForm {
  readonly kind: Kind
  readonly name: string
  /** Where the command finds it. */
  readonly path: string
  /** The plugin itself where it is no Python one, else its path. */
  readonly given: unknown
}

/** All shipped plugins, for forms. Those in Python are copies that say nothing of packages: a form needs none. */
export class ShippedForms {
  readonly plugins: readonly ShippedForm[]
  readonly #folder: string

  private constructor(plugins: readonly ShippedForm[], folder: string) {
    this.plugins = plugins
    this.#folder = folder
  }

  /** Skips the suite where there is no Python. */
  static async make(suite: Mocha.Context): Promise<ShippedForms> {
    await pythonOf(suite)
    const copies = await mkdtemp(join(tmpdir(), 'braidwork-shipped-'))
    const shipped = (await shippedPlugins()).map(async ({ kind, name, folder, plugin }) => {
      const own = join(ROOT, folder)
      if (!existsSync(join(own, 'plugin.py'))) return { kind, name, path: own, given: plugin }
      const path = join(copies, basename(folder))
      await cp(own, path, { recursive: true, filter: (file) => !file.endsWith('.toml') })
      return { kind, name, path, given: path }
    })
    return new ShippedForms(await Promise.all(shipped), copies)
  }

  /** The names of all but providers. */
  get names(): readonly string[] {
    return this.plugins.filter(({ kind }) => kind !== 'provider').map(({ name }) => name)
  }

  get providers(): readonly string[] {
    return this.plugins.filter(({ kind }) => kind === 'provider').map(({ name }) => name)
  }

  host(others: readonly unknown[] = []): Promise<Host> {
    return createHost({ plugins: [...this.plugins.map(({ given }) => given), ...others] })
  }

  remove(): Promise<void> {
    return rm(this.#folder, { recursive: true })
  }
}

/** A host of all shipped plugins, and a config with all of them that need no more. */
export interface HostOfAll {
  readonly host: Host
  readonly config: ConfigLayer
  readonly close: () => Promise<void>
}

export async function hostOfAll(suite: Mocha.Context): Promise<HostOfAll> {
  const shipped = await ShippedForms.make(suite)
  const host = await shipped.host()
  const settings = {
    openai: { api_key: 'sk-open-sesame' },
    files: { root: '.' },
    'search-docs': { root: '.' },
    instructions: { text: 'The office is in Ulm.' },
  }
  const config = { provider: 'openai', enabled_plugins: shipped.names, settings }
  const close = async () => {
    await host.close()
    await shipped.remove()
  }
  return { host, config, close }
}
