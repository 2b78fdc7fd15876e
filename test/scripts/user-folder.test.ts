import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { leaveUserFolder } from '../../scripts/tests/user-folder.ts'
import { userDataFile, userFile } from '../../src/core/load/user-folder.ts'

const NAMES = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME'] as const

describe('the files of the person who runs the tests', () => {
  const before = NAMES.map((name) => [name, process.env[name] ?? ''] as const)
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    for (const name of NAMES) process.env[name] = folder
  })
  afterEach(async () => {
    for (const [name, value] of before) process.env[name] = value
    await rm(folder, { recursive: true })
  })

  it('are out of reach of the tests, but for the environments of plugins', async () => {
    await mkdir(join(folder, 'braidwork', 'environments', 'made'), { recursive: true })
    const instead = leaveUserFolder()
    for (const file of [userFile('trusted.json'), userDataFile('conversations.db')])
      expect(file).not.to.include(folder)
    const left = dirname(userDataFile('environments') ?? '')
    expect(await readdir(left)).to.deep.equal(['environments'])
    expect(await readdir(join(left, 'environments'))).to.deep.equal(['made'])
    await rm(instead, { recursive: true })
    expect(await readdir(join(folder, 'braidwork', 'environments'))).to.deep.equal(['made'])
  })

  it('are out of reach where no plugin has an environment', async () => {
    const instead = leaveUserFolder()
    expect(userDataFile('conversations.db')).to.include(instead)
    await rm(instead, { recursive: true })
  })

  it('are out of reach of these tests too', () => {
    for (const [, value] of before) expect(value).to.match(/braidwork-user-/)
  })
})
