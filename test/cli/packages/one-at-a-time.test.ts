import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { lockFile } from '../../../src/cli/packages/lock.ts'
import { oneAtATime } from '../../../src/cli/packages/one-at-a-time.ts'

describe('changes of the records of plugins', () => {
  let folder: string
  let held: string
  const usual = process.env['XDG_CONFIG_HOME']
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    process.env['XDG_CONFIG_HOME'] = folder
    held = `${lockFile()}.held`
    await mkdir(dirname(held), { recursive: true })
  })
  afterEach(async () => {
    if (usual === undefined) delete process.env['XDG_CONFIG_HOME']
    else process.env['XDG_CONFIG_HOME'] = usual
    await rm(folder, { recursive: true })
  })

  it('happen one at a time, and leave no file behind', async () => {
    let active = 0
    const change = async () => {
      active += 1
      // The others may begin here.
      await nextTurn()
      const most = active
      active -= 1
      return most
    }
    const most = await Promise.all(Array.from({ length: 5 }, () => oneAtATime(change)))
    expect(most).to.deep.equal([1, 1, 1, 1, 1])
    expect(await readdir(dirname(held))).to.deep.equal([])
  })

  it('let the next one begin after one that failed', async () => {
    const failed = await oneAtATime(() => Promise.reject(new Error('no'))).catch(String)
    expect(failed).to.equal('Error: no')
    expect(await oneAtATime(() => 'done')).to.equal('done')
  })

  it('do not wait for a process that was killed', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    await writeFile(held, String(pid))
    const both = [oneAtATime(() => 1, 5000), oneAtATime(() => 2, 5000)]
    expect(await Promise.all(both)).to.deep.equal([1, 2])
    expect(await readdir(dirname(held))).to.deep.equal([])
  })

  for (const [title, id] of [
    ['a process that runs', String(process.ppid)],
    ['a process that has made its file, and has not written its id yet', ''],
  ] as const) {
    it(`wait for ${title}, but not for ever`, async () => {
      await writeFile(held, id)
      const { ctimeNs } = statSync(held, { bigint: true })
      const fault = await oneAtATime(() => expect.fail('it is held'), 50).catch(
        (error: unknown) => error,
      )
      expect(fault).to.have.property('code', 'PACKAGE_INSTALL_FAILED')
      expect(String(fault)).to.include(`delete "${held}"`)
      // Nobody took it away meanwhile, in which time a third process could have begun.
      expect(statSync(held, { bigint: true }).ctimeNs).to.equal(ctimeNs)
    })
  }
})
