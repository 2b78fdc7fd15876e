import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives each test of a suite a new folder, which holds the user's own config folder, too. @returns its path */
export function useConfigFolder(): () => string {
  let folder = ''
  let outside: string | undefined
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'braidwork-')))
    outside = process.env['XDG_CONFIG_HOME']
    process.env['XDG_CONFIG_HOME'] = join(folder, 'xdg')
  })
  afterEach(async () => {
    if (outside === undefined) delete process.env['XDG_CONFIG_HOME']
    else process.env['XDG_CONFIG_HOME'] = outside
    await rm(folder, { recursive: true })
  })
  return () => folder
}
