import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect } from 'chai'
import { pathToPython } from '../../scripts/tests/python-path.ts'

describe('the search path of the tests', () => {
  let folder: string
  let PATH: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    PATH = [folder, '/usr/bin', '/bin'].join(delimiter)
    await writeFile(join(folder, 'python3'), '#!/bin/sh\nprintf "/opt/bin/python3\\n3.12.1\\n"\n')
    await chmod(join(folder, 'python3'), 0o755)
  })
  after(() => rm(folder, { recursive: true }))

  it('begins with the folder of Python where "python3" is a script that looks it up', async () => {
    expect(await pathToPython({ PATH })).to.equal(`/opt/bin${delimiter}${PATH}`)
  })

  it('is the given one where "python3" is no script, or none is there', async () => {
    expect(await pathToPython({ PATH: '/nowhere' })).to.equal('/nowhere')
    await rm(join(folder, 'python3'))
    await writeFile(join(folder, 'python3'), 'no script')
    await chmod(join(folder, 'python3'), 0o755)
    expect(await pathToPython({ PATH })).to.equal(PATH)
  })
})
