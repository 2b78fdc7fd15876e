import { getEventListeners } from 'node:events'
import { expect } from 'chai'
import { settle } from '../../../src/core/hooks/settle.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { timers } from '../../helpers/timers.ts'

const never = new Promise<never>(() => undefined)

describe('settle', () => {
  let before = 0
  let controller: AbortController
  beforeEach(() => {
    before = timers()
    controller = new AbortController()
  })
  afterEach(() => {
    expect(timers(), 'timers that were left').to.be.at.most(before)
    expect(getEventListeners(controller.signal, 'abort'), 'listeners').to.have.length(0)
  })

  it('gives what the promise comes to', async () => {
    const value = await settle(Promise.resolve(7), { seconds: 60, signal: controller.signal })
    expect(value).to.equal(7)
  })

  it('fails with what the promise fails with', async () => {
    const failed = Promise.reject(new Error('no'))
    const error = await errorOf(settle(failed, { seconds: 60, signal: controller.signal }))
    expect(error.message).to.equal('no')
  })

  it('fails with TIMEOUT when its time is up', async () => {
    const error = await errorOf(settle(never, { seconds: 0.005, signal: controller.signal }))
    expect(error).to.include({ code: 'TIMEOUT', retryable: true })
    expect(error.message).to.include('0.005 s')
  })

  it('fails with ABORTED as soon as the signal aborts', async () => {
    const waiting = settle(never, { seconds: 60, signal: controller.signal })
    controller.abort('enough')
    expect(await errorOf(waiting)).to.include({ code: 'ABORTED', message: 'enough' })
  })

  it('fails with ABORTED where the signal has aborted before', async () => {
    controller.abort()
    const error = await errorOf(settle(never, { seconds: 60, signal: controller.signal }))
    expect(error).to.include({ code: 'ABORTED', message: 'cancelled' })
  })

  it('takes the message of an error that the signal aborts with', async () => {
    controller.abort(new Error('the client left'))
    const error = await errorOf(settle(never, { seconds: 60, signal: controller.signal }))
    expect(error.message).to.equal('the client left')
  })

  it('takes the first outcome of a thenable that has several', async () => {
    const twice = {
      then: (resolve: (value: number) => void) => {
        resolve(1)
        resolve(2)
      },
    } as PromiseLike<number>
    expect(await settle(twice, { seconds: 60, signal: controller.signal })).to.equal(1)
  })

  it('holds the limit on a thenable that comes to another one', async () => {
    const inner = { then: () => undefined }
    const outer = { then: (resolve: (value: unknown) => void) => resolve(inner) }
    const late = settle(outer as unknown as PromiseLike<number>, { seconds: 0.01 })
    expect((await errorOf(late)).code).to.equal('TIMEOUT')
  })

  it('fails with what a thenable throws', async () => {
    const broken = {
      then: () => {
        throw new Error('broken')
      },
    } as unknown as PromiseLike<number>
    const error = await errorOf(settle(broken, { seconds: 60, signal: controller.signal }))
    expect(error.message).to.equal('broken')
  })
})
