import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { onceInRun } from './once-in-run.ts'

describe('what is made once in a run of tests', () => {
  let run: string
  beforeEach(() => {
    run = mkdtempSync(join(tmpdir(), 'braidwork-once-'))
  })
  afterEach(() => rmSync(run, { recursive: true }))

  it('is made by the first that asks, in an empty folder, and waited for by others', async () => {
    let count = 0
    const make = async (folder: string) => {
      expect(readdirSync(folder)).to.deep.equal([])
      writeFileSync(join(folder, 'part'), '')
      await new Promise(setImmediate)
      count++
      return { folder }
    }
    const asked = [1, 2, 3].map(() => onceInRun('thing', make, run))
    const made = { folder: join(run, 'thing') }
    expect(await Promise.all(asked)).to.deep.equal([made, made, made])
    expect(await onceInRun('thing', make, run)).to.deep.equal(made)
    expect(count).to.equal(1)
  })

  it('fails for all of them where it cannot be made', async () => {
    const make = async () => {
      throw new Error('no room')
    }
    for (let time = 0; time < 2; time++) {
      const failure = await onceInRun('thing', make, run).catch(String)
      expect(failure).to.include('thing was not made').and.include('no room')
    }
  })
})
