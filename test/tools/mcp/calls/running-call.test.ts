import { once } from 'node:events'
import { expect } from 'chai'
import { RunningCall } from '../../../../tools/mcp/calls/running-call.ts'

const FACTS = { owner: '', canAsk: false, server: 'x', settings: undefined, askModel: undefined }

/** A call whose server reports progress until the call is cancelled. */
function reporting(seconds: number): RunningCall {
  const work = async (call: RunningCall) => {
    let progress = 0
    const beat = setInterval(() => call.onProgress({ progress: progress++ }), 5)
    try {
      await once(call.signal, 'abort')
    } finally {
      clearInterval(beat)
    }
    call.signal.throwIfAborted()
  }
  return new RunningCall(work, { ...FACTS, seconds })
}

describe('a call whose server reports progress without end', () => {
  it('ends after its whole time, as one that may have had effects', async () => {
    const running = reporting(0.3)
    const following = { signal: new AbortController().signal, limitMs: 60_000 }
    let reports = 0
    const end = (async () => {
      for (;;) if ((await running.next(following)).kind === 'progress') reports++
    })()
    const error = await end.catch((thrown: unknown) => thrown)
    expect(error).to.include({ code: 'TIMEOUT', retryable: false })
    expect(String(error)).to.include('0.3 seconds in all (settings.mcp.call)')
    expect(reports).to.be.above(0)
  })

  it('ends by the limit of the host where that comes first', async () => {
    const running = new RunningCall((call) => once(call.signal, 'abort'), { ...FACTS, seconds: 60 })
    const following = { signal: new AbortController().signal, limitMs: 1 }
    expect((await running.next(following)).kind).to.equal('end')
    expect(running.signal.reason).to.have.property('message', 'it took too long')
  })
})
