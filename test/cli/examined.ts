import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CommandFolder, eachCommandFolder } from '../helpers/command-folder.ts'
import { writePythonPlugin } from '../python/python-plugins.ts'

/** What `braidwork doctor --json` prints. */
export interface Report {
  readonly base: {
    readonly executable?: string
    readonly version?: string
    readonly fault?: string
  }
  readonly others: readonly { readonly executable: string }[]
  readonly plugins: readonly {
    readonly plugin: string
    readonly packages: readonly string[]
    readonly executable?: string
    readonly fault?: string
  }[]
  readonly venvs: readonly {
    readonly folder: string
    readonly plugins: readonly string[]
    readonly fault?: string
  }[]
}

/** A folder in which `braidwork doctor` runs. */
export interface ExaminedFolder extends CommandFolder {
  readonly examine: (
    more?: NodeJS.ProcessEnv,
  ) => Promise<{ readonly status: number | null; readonly report: Report }>
  /** Adds a plugin without making what it needs. */
  readonly addUnmade: (project: string) => Promise<string>
}

/** Gives each test of a suite a folder of its own, and deletes it. */
export function eachExaminedFolder(give: (made: ExaminedFolder) => void): void {
  eachCommandFolder(({ folder, env, run }) => {
    give({
      folder,
      env,
      run,
      async examine(more = {}) {
        const { status, out } = await run(['doctor', '--json'], { env: { ...env, ...more } })
        return { status, report: JSON.parse(out) as Report }
      },
      async addUnmade(project) {
        const words = await writePythonPlugin(join(folder, 'words'), project)
        await mkdir(join(folder, 'config', 'braidwork'), { recursive: true })
        const list = JSON.stringify({ plugins: [words] })
        await writeFile(join(folder, 'config', 'braidwork', 'plugins.json'), list)
        return words
      },
    })
  })
}
