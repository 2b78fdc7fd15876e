import { expect } from 'chai'
import { asLanguageModel } from '../../src/ai-sdk/index.ts'
import { HostError } from '../../src/core/index.ts'
import { all, listening, PROMPT, text } from './asking.ts'

const failing = (
  facts: ConstructorParameters<typeof HostError>[2],
  after: readonly object[] = [],
) => ({
  stream: async function* () {
    yield after
    throw new HostError('OVERLOADED', 'too much', facts)
  },
})
const options = { prompt: PROMPT }
const thrownBy = (call: PromiseLike<unknown>): PromiseLike<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('a language model whose request fails', () => {
  for (const call of ['doGenerate', 'doStream'] as const) {
    const answers = call === 'doGenerate' ? 'generates' : 'streams'

    it(`throws an error of the AI SDK with the status when it ${answers}`, async () => {
      const provider = failing({ status: 529, retryable: true, retryAfter: 3 })
      const { host, model } = await listening([], { provider })
      const error = await thrownBy(model[call](options))
      expect(error).to.include({ name: 'AI_APICallError', statusCode: 529, isRetryable: true })
      expect(error).to.have.deep.property('responseHeaders', { 'retry-after': '3' })
      expect(error).to.have.nested.property('data.code', 'OVERLOADED')
      await host.close()
    })

    it(`throws the error of the host for what no model API did when it ${answers}`, async () => {
      const { host, model } = await listening([], { provider: failing({}) })
      const error = await thrownBy(model[call](options))
      expect(HostError.is(error) && error.code).to.equal('OVERLOADED')
      await host.close()
    })

    it(`throws the reason of a signal that has aborted when it ${answers}`, async () => {
      const { host, model } = await listening(text('fine'))
      const error = await thrownBy(model[call]({ ...options, abortSignal: AbortSignal.abort() }))
      expect(error).to.include({ name: 'AbortError' })
      await host.close()
    })

    it(`gives a reason that is a text the name by which the AI SDK knows it when it ${answers}`, async () => {
      const { host, model } = await listening(text('fine'))
      const error = await thrownBy(
        model[call]({ ...options, abortSignal: AbortSignal.abort('stop') }),
      )
      expect(error).to.include({ name: 'AbortError', message: 'stop' })
      await host.close()
    })

    it(`refuses a config that was ended when it ${answers}`, async () => {
      const { host } = await listening(text('fine'))
      const opened = await host.open({})
      const model = asLanguageModel(opened)
      opened.end()
      const error = await thrownBy(model[call](options))
      expect(HostError.is(error) && error.code).to.equal('HOST_CLOSED')
      await host.close()
    })
  }

  for (const [status, isRetryable] of [
    [400, false],
    [408, true],
    [409, true],
    [429, true],
    [500, true],
  ] as const) {
    it(`says whether status ${status} passes, where the provider does not say`, async () => {
      const { host, model } = await listening([], { provider: failing({ status }) })
      expect(await thrownBy(model.doGenerate(options))).to.include({ isRetryable })
      await host.close()
    })
  }

  it('ends a stream that has begun with the error and the finish', async () => {
    const provider = failing({ status: 500 }, text('so far'))
    const { host, model } = await listening([], { provider })
    const parts = await all((await model.doStream(options)).stream)
    expect(parts.map(({ type }) => type)).to.deep.equal([
      'stream-start',
      'text-start',
      'text-delta',
      'text-end',
      'error',
      'finish',
    ])
    expect(parts.at(-2)).to.have.nested.property('error.statusCode', 500)
    expect(parts.at(-1)).to.have.nested.property('finishReason.unified', 'error')
    await host.close()
  })

  it('breaks off a stream whose caller aborts', async () => {
    const abort = new AbortController()
    const provider = waiting()
    const { host, model } = await listening([], { provider })
    const { stream } = await model.doStream({ ...options, abortSignal: abort.signal })
    const reader = stream.getReader()
    await reader.read()
    abort.abort()
    const read = async () => {
      while (!(await reader.read()).done);
    }
    expect(await thrownBy(read())).to.include({ name: 'AbortError' })
    expect(provider.isClosed()).to.equal(true)
    await host.close()
  })

  it('cancels the request of a stream whose reader leaves', async () => {
    const provider = waiting()
    const { host, model } = await listening([], { provider })
    const { stream } = await model.doStream(options)
    await stream.cancel()
    expect(provider.isClosed()).to.equal(true)
    await host.close()
  })

  it('is not made for a version that nobody knows', async () => {
    const { host } = await listening(text('fine'))
    const opened = await host.open({})
    expect(() => asLanguageModel(opened, { sdk: 4 as 7 })).to.throw(HostError, '5, 6 or 7')
    await host.close()
  })
})

/** A provider whose stream waits after its first events until it is cancelled. */
function waiting() {
  let closed = false
  return {
    isClosed: () => closed,
    stream: async function* (_native: object, _state: object, { signal }: { signal: AbortSignal }) {
      try {
        yield text('so far').slice(0, 2)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      } finally {
        closed = true
      }
    },
  }
}
