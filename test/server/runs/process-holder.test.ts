import { existsSync } from 'node:fs'
import { expect } from 'chai'
import { holderOfThisProcess, isGone } from '../../../src/server/runs/process-holder.ts'

describe('the holder of a process', () => {
  before(function () {
    if (existsSync('/proc/self/stat')) return
    process.stderr.write('Tests of gone processes are skipped: this system has no /proc\n')
    this.skip()
  })

  it('is one of each log, and this process is not gone', () => {
    expect(holderOfThisProcess('a')).to.not.equal(holderOfThisProcess('b'))
    expect(isGone(holderOfThisProcess('a'))).to.equal(false)
  })

  it('is gone where another process has its id by now', () => {
    const own = holderOfThisProcess('a')
    expect(isGone(own.replace(/\/\d+\/a$/, '/1/a'))).to.equal(true)
  })

  it('is not said to be gone where that cannot be known', () => {
    const own = holderOfThisProcess('a')
    const elsewhere = own.replace(/^[^/]+/, '00000000-0000-0000-0000-000000000000')
    const inContainer = own.replace(/pid:\[\d+\]/, 'pid:[1]')
    for (const holder of [elsewhere, inContainer, 'a-name-of-its-own', '', '/1/1/', '///']) {
      expect(isGone(holder), holder).to.equal(false)
    }
  })
})
