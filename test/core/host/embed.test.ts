import { expect } from 'chai'
import type { ConfigLayer } from '../../../src/core/config/layers.ts'
import { createHost, type EmbedOptions } from '../../../src/core/host/index.ts'
import type { EmbedInputs } from '../../../src/core/index.ts'
import type { ActionContext } from '../../../src/plugin/context.ts'
import { textProvider } from '../../helpers/hosts.ts'
import { errorOf } from '../../helpers/plugins.ts'

interface Asked {
  readonly embed?: unknown
  readonly inputs?: EmbedInputs
  readonly options?: EmbedOptions
  readonly config?: ConfigLayer
}

async function embedded({ embed, inputs = ['a', 'b'], options, config = {} }: Asked) {
  const configSchema = { type: 'object', properties: { key: { type: 'string', writeOnly: true } } }
  const plugin = textProvider('x', { configSchema, ...(embed === undefined ? {} : { embed }) })
  await using host = await createHost({ plugins: [plugin] })
  return await host.embed(config, inputs, options)
}

describe('host.embed', () => {
  it('gives the provider the inputs and options, and returns its vectors', async () => {
    const seen: unknown[] = []
    const embed = (inputs: unknown, given: unknown, { config, phase }: ActionContext) => {
      seen.push(inputs, given, config.model, phase)
      return { vectors: [[1, 0], new Float32Array([0, 1])], tokens: 3 }
    }
    const asked = { inputs: ['a', [1, 2]], options: { dimensions: 2 }, config: { model: 'm' } }
    const { vectors, tokens, modelInfo } = await embedded({ embed, ...asked })
    expect(vectors.map((vector) => Array.from(vector))).to.deep.equal([
      [1, 0],
      [0, 1],
    ])
    expect([tokens, modelInfo]).to.deep.equal([3, {}])
    expect(seen).to.deep.equal([['a', [1, 2]], { dimensions: 2 }, 'm', 'settings'])
  })

  it('refuses a provider without the hook', async () => {
    const error = await errorOf(embedded({}))
    expect(error).to.include({ code: 'EMBEDDINGS_MISSING', plugin: 'p' })
  })

  it('refuses inputs that are neither texts nor token ids', async () => {
    for (const inputs of [[], 'a', [1], [[1.5]], [{}], undefined] as unknown as EmbedInputs[]) {
      const host = await createHost({ plugins: [textProvider('x')] })
      const error = await errorOf(host.embed({}, inputs))
      expect(error).to.include({ code: 'OPTION_INVALID', pointer: '/inputs' })
      await host.close()
    }
    for (const dimensions of [0, 1.5, -1, Number.NaN]) {
      const error = await errorOf(embedded({ embed: () => undefined, options: { dimensions } }))
      expect(error).to.include({ code: 'OPTION_INVALID', pointer: '/dimensions' })
    }
  })

  it('refuses answers that are not one vector for each input', async () => {
    for (const [vectors, fault] of [
      [undefined, 'returned no list'],
      [[[1]], '1 vectors for 2 inputs'],
      [[[1], [1, 2]], 'finite numbers'],
      [[[1], [Number.NaN]], 'finite numbers'],
      [[[1], ['2']], 'finite numbers'],
      [[[], []], 'finite numbers'],
      [['a', 'b'], 'finite numbers'],
    ] as const) {
      const error = await errorOf(embedded({ embed: () => ({ vectors }) }))
      expect(error).to.include({ code: 'HOOK_ANSWER_INVALID', hook: 'embed' })
      expect(error.message).to.include(fault)
    }
    const other = { embed: () => ({ vectors: [[1], [2]] }), options: { dimensions: 2 } }
    expect((await errorOf(embedded(other))).message).to.include('not 2 finite numbers')
  })

  it('limits the size of an answer', async () => {
    const embed = () => ({ vectors: [new Float32Array(99), new Float32Array(99)] })
    const error = await errorOf(embedded({ embed, config: { limits: { answer_bytes: 1000 } } }))
    expect(error.message).to.include('limits.answer_bytes')
  })

  it('ends when it is cancelled, and when the hook takes too long', async () => {
    let seen: AbortSignal | undefined
    const embed = (_inputs: unknown, _options: unknown, { signal }: ActionContext) => {
      seen = signal
      return new Promise(() => undefined)
    }
    const cancel = new AbortController()
    const work = errorOf(embedded({ embed, options: { signal: cancel.signal } }))
    setImmediate(() => cancel.abort())
    expect(await work).to.include({ code: 'ABORTED' })
    expect(seen?.aborted).to.equal(true)
    const late = await errorOf(embedded({ embed, config: { limits: { call: 0.01 } } }))
    expect(late).to.include({ code: 'TIMEOUT' })
  })

  it('shows no secret in an error of the provider', async () => {
    const embed = () => Promise.reject(new Error('bad key open-sesame'))
    const config = { settings: { p: { key: 'open-sesame' } } }
    const error = await errorOf(embedded({ embed, config }))
    expect(error.code).to.equal('HOOK_FAILED')
    expect(error.message).to.include('bad key').and.not.include('sesame')
  })
})
