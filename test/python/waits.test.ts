import { expect } from 'chai'
import { HostError } from '../../src/plugin/errors.ts'
import { Waits } from '../../src/python/waits.ts'

describe('waits one after the other', () => {
  const toError = (error: unknown): Error => error as Error
  const codeOf = (wait: Promise<unknown>) =>
    wait.then(
      () => 'none',
      (error: unknown) => (HostError.is(error) ? error.code : String(error)),
    )
  const never = () => undefined

  it('come to what they are settled with, or what that throws', async () => {
    const waits = new Waits({ seconds: 60, toError })
    expect(await waits.wait((settle) => settle(() => 1))).to.equal(1)
    const failing = waits.wait((settle) =>
      settle(() => {
        throw new TypeError('no')
      }),
    )
    expect(await codeOf(failing)).to.equal('TypeError: no')
    waits.end()
  })

  it('have the whole time each', async () => {
    const waits = new Waits({ seconds: 0.4, toError })
    const began = performance.now()
    while (performance.now() - began < 600) {
      await waits.wait<void>((settle) => void setTimeout(() => settle(() => undefined), 80))
    }
    // Its timer does not hold the process.
    const held = setTimeout(never, 60_000)
    const before = performance.now()
    expect(await codeOf(waits.wait(never))).to.equal('TIMEOUT')
    clearTimeout(held)
    expect(performance.now() - before).to.be.at.least(395)
  })

  it('end with the signal, before and after they began', async () => {
    const abort = new AbortController()
    const waits = new Waits({ seconds: 60, signal: abort.signal, toError })
    const open = codeOf(waits.wait(never))
    abort.abort('enough')
    expect([await open, await codeOf(waits.wait(never))]).to.deep.equal(['ABORTED', 'ABORTED'])
    waits.end()
  })
})
