import { expect } from 'chai'
import { Checks } from '../../../scripts/published/checks.ts'

describe('counted steps', () => {
  it('say how each ended, go on after one that failed, and count', async () => {
    const lines: string[] = []
    const checks = new Checks((line) => lines.push(line.replace(/\d+\.\d s/, 'N s')))
    expect(await checks.step('one', async () => undefined)).to.equal(true)
    expect(await checks.step('two', () => Promise.reject(new Error('no')))).to.equal(false)
    expect(await checks.step('three', async () => 'yes')).to.equal(true)
    checks.notRun('four', 'it is not there')
    checks.end()
    expect(lines).to.deep.equal([
      'ok        N s  one',
      'FAILED    N s  two: Error: no',
      'ok        N s  three: yes',
      'not run         four: it is not there',
      '3 checks, 1 failed',
    ])
    expect(checks.failed).to.equal(1)
  })
})
