import { spawnSync } from 'node:child_process'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  neededFile,
  sharedDataFiles,
  userDataFile,
  userFile,
} from '../../../src/core/load/user-folder.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { ROOT } from '../../helpers/source-files.ts'

/** A user that no system lists. */
const UNLISTED = 54_321

const SCRIPT = `
const { userDataFile, userFile } = await import(process.argv[1])
delete process.env.HOME
process.setuid(${UNLISTED})
const variables = { XDG_CONFIG_HOME: '/etc', XDG_DATA_HOME: '/data' }
console.log(userFile('config.json', variables), userDataFile('conversations.db', variables))
console.log(userFile('config.json', {}), userDataFile('conversations.db', { HOME: '' }))
process.env.HOME = ''
console.log(userFile('config.json', {}))
`

describe('the files of the user', () => {
  it('are in the folders that the variables name, else in the home folder', () => {
    const variables = { HOME: '/home/ada', XDG_CONFIG_HOME: '/etc', XDG_DATA_HOME: 'relative' }
    expect(userFile('a', variables)).to.equal('/etc/braidwork/a')
    expect(userDataFile('a', variables)).to.equal('/home/ada/.local/share/braidwork/a')
    expect(userFile('a', { HOME: '/home/ada' })).to.equal('/home/ada/.config/braidwork/a')
  })

  it('are in the home folder that the system lists if HOME is empty', () => {
    const { homedir } = userInfo()
    const before = process.env['HOME']
    process.env['HOME'] = ''
    try {
      const variables = { HOME: '', XDG_CONFIG_HOME: '' }
      expect(userFile('a', variables)).to.equal(join(homedir, '.config/braidwork/a'))
      expect(userDataFile('a')).to.equal(
        join(process.env['XDG_DATA_HOME'] || join(homedir, '.local/share'), 'braidwork/a'),
      )
    } finally {
      if (before === undefined) delete process.env['HOME']
      else process.env['HOME'] = before
    }
  })

  it('are for all users in the folders of the specification', () => {
    const paths = (variables: NodeJS.ProcessEnv) => sharedDataFiles('a', variables)
    const usual = ['/usr/local/share/braidwork/a', '/usr/share/braidwork/a']
    expect(paths({})).to.deep.equal(usual)
    expect(paths({ XDG_DATA_DIRS: '' })).to.deep.equal(usual)
    expect(paths({ XDG_DATA_DIRS: '/x:relative:/y' })).to.deep.equal([
      '/x/braidwork/a',
      '/y/braidwork/a',
    ])
  })

  it('say which variable gives one a place that is needed', async () => {
    expect(neededFile('/a', 'XDG_DATA_HOME')).to.equal('/a')
    const config = await errorOf(async () => neededFile(undefined, 'XDG_CONFIG_HOME'))
    expect(config.code).to.equal('ENV_MISSING')
    expect(config.message).to.equal(
      'There is no folder for your own config, because the user of this process has no home folder. Set HOME, or XDG_CONFIG_HOME to the path of a folder.',
    )
    const data = await errorOf(async () => neededFile(undefined, 'XDG_DATA_HOME', 'name a file'))
    expect(data.message).to.match(
      /your data, .* XDG_DATA_HOME to the path of a folder, or name a file\.$/,
    )
  })

  it('need no home folder if the variables name others, and are nowhere without both', function () {
    if (process.getuid?.() !== 0) {
      process.stderr.write('"need no home folder" is skipped: only root may become another user\n')
      return this.skip()
    }
    const path = join(ROOT, 'src/core/load/user-folder.ts')
    const args = ['--import', 'tsx', '--input-type=module', '-e', SCRIPT, path]
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
    expect(stderr).to.equal('')
    expect(stdout).to.equal(
      '/etc/braidwork/config.json /data/braidwork/conversations.db\nundefined undefined\nundefined\n',
    )
  })
})
