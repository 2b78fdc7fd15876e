import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writePythonPlugin } from './python-plugins.ts'

/** A folder of plugins and virtual environments. */
export interface VenvFolder {
  readonly folder: string
  readonly variables: NodeJS.ProcessEnv
  readonly plugin: (name: string, project: string) => Promise<string>
}

/** Gives each test of a suite a folder of its own, and deletes it. */
export function eachVenvFolder(give: (made: VenvFolder) => void): void {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    give({
      folder,
      variables: { ...process.env, XDG_DATA_HOME: join(folder, 'data') },
      plugin: (name, project) => writePythonPlugin(join(folder, name), project),
    })
  })
  afterEach(() => rm(folder, { recursive: true }))
}
