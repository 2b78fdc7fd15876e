import { expect } from 'chai'
import { release } from '../../../src/server/bodies/release.ts'

describe('bytes that are let go of', () => {
  it('are gone at once', () => {
    const bytes = Buffer.alloc(1 << 20, 'x')
    release(bytes)
    expect(bytes).to.have.length(0)
    expect(bytes.buffer.byteLength).to.equal(0)
  })

  it('are left alone where they are a part of a buffer, which others may have a part of as well', () => {
    const whole = new Uint8Array(1 << 20).fill(1)
    release(whole.subarray(1))
    expect(whole).to.have.length(1 << 20)
  })

  it('are left to the next collection where they are few', () => {
    const few = new Uint8Array(1000)
    release(few)
    expect(few).to.have.length(1000)
  })
})
