import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import scripted from '../../providers/scripted/index.ts'
import type { ConfigLayer } from '../../src/core/config/layers.ts'
import { createHost, type Host } from '../../src/core/host/index.ts'
import { pythonOf } from './python.ts'

/** A folder of Python plugins, and hosts of them, that go with it. */
export class PythonFolder {
  readonly path: string
  readonly log: { readonly level: string; readonly message: string }[] = []
  readonly #hosts: Host[] = []

  private constructor(path: string) {
    this.path = path
  }

  static async make(): Promise<PythonFolder> {
    return new PythonFolder(await mkdtemp(join(tmpdir(), 'braidwork-python-')))
  }

  /** Writes a module; gives its path. */
  async write(name: string, text: string): Promise<string> {
    const path = join(this.path, name)
    await writeFile(path, text)
    return path
  }

  /** A host of the scripted provider and of modules, each by its text or its path. */
  async host(plugins: readonly unknown[], config: ConfigLayer = {}): Promise<Host> {
    const given = await Promise.all(plugins.map((plugin, at) => this.#pathOf(plugin, at)))
    const settings = { scripted: { delay_ms: 0 }, ...config.settings }
    const host = await createHost({
      plugins: [scripted, ...given],
      config: { ...config, settings },
      log: (entry) => this.log.push(entry),
    })
    this.#hosts.push(host)
    return host
  }

  async close(): Promise<void> {
    await Promise.all(this.#hosts.map((host) => host.close()))
    await rm(this.path, { recursive: true })
  }

  async #pathOf(plugin: unknown, at: number): Promise<unknown> {
    const isText = typeof plugin === 'string' && plugin.includes('\n')
    return isText ? this.write(`module_${this.#hosts.length}_${at}.py`, plugin) : plugin
  }
}

/** Gives each test of a suite a folder of its own, and deletes it; skips the suite where there is no Python. */
export function eachPythonFolder(give: (made: PythonFolder) => void): void {
  let folder: PythonFolder
  before(async function () {
    await pythonOf(this)
  })
  beforeEach(async () => {
    folder = await PythonFolder.make()
    give(folder)
  })
  afterEach(() => folder.close())
}
