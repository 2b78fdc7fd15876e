import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { userDataFile } from '../../src/core/load/user-folder.ts'

/**
 * Keeps the tests of this process, and the programs that they start, away from the conversations and the trusted folders
 * of the person who runs them. The virtual environments of that person's plugins stay in use, since they take minutes to
 * make.
 * @returns the folder that they use instead, which is removed when the process ends
 */
export function leaveUserFolder(): string {
  const environments = userDataFile('environments')
  const folder = mkdtempSync(join(tmpdir(), 'braidwork-user-'))
  process.env['XDG_CONFIG_HOME'] = join(folder, 'config')
  process.env['XDG_DATA_HOME'] = join(folder, 'data')
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const own = userDataFile('environments')
  if (environments && own && existsSync(environments)) {
    mkdirSync(dirname(own), { recursive: true })
    symlinkSync(environments, own)
  }
  return folder
}
