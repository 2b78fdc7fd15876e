import { expect } from 'chai'
import { serverLog } from '../../src/cli/server-log.ts'

/** A disk with room for so many bytes, or a pipe that takes no more. */
class Disk {
  room = Number.POSITIVE_INFINITY
  code = 'ENOSPC'
  text = ''

  readonly write = (bytes: Uint8Array): number => {
    const taken = Math.min(bytes.length, this.room)
    if (taken === 0) throw Object.assign(new Error('full'), { code: this.code })
    this.room -= taken
    this.text += Buffer.from(bytes.subarray(0, taken)).toString('latin1')
    return taken
  }

  get lines(): readonly { readonly [key: string]: unknown }[] {
    return this.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
}

describe('the log of a server', () => {
  for (const code of ['ENOSPC', 'EAGAIN']) {
    it(`goes on within a line after it could not be written (${code})`, () => {
      const disk = new Disk()
      const log = serverLog({ write: disk.write })
      Object.assign(disk, { room: 20, code })
      log({ level: 'error', message: 'first' })
      log({ level: 'error', message: 'second' })
      expect(disk.text).to.have.length(20)
      disk.room = Number.POSITIVE_INFINITY
      log({ level: 'error', message: 'third' })
      expect(disk.lines.map(({ msg }) => msg)).to.deep.equal(['first', 'second', 'third'])
    })
  }

  it('drops lines while too many wait, and tells how many as soon as it can be written', () => {
    const disk = new Disk()
    const log = serverLog({ write: disk.write })
    disk.room = 0
    const text = 'x'.repeat(1000)
    for (let line = 0; line < 2000; line++) log({ level: 'info', message: text })
    disk.room = Number.POSITIVE_INFINITY
    log({ level: 'error', message: `${text} too` })
    log({ level: 'error', message: 'again' })
    const [told, last] = disk.lines.slice(-2)
    const kept = disk.lines.filter(({ msg }) => msg === text).length
    expect(kept).to.be.greaterThan(500)
    expect(told).to.include({ level: 40, lost: 2001 - kept, reason: 'ENOSPC' })
    expect(told?.['msg']).to.include(`${2001 - kept} lines of the log are lost`)
    expect(last?.['msg']).to.equal('again')
  })
})
