import { expect } from 'chai'
import { Served } from './served.ts'

const ROUNDS = { config: { limits: { max_rounds: 1 } } }

const REQUESTS: { readonly [path: string]: object } = {
  '/v1/chat/completions': { messages: [{ role: 'user', content: 'calculate' }] },
  '/v1/responses': { input: 'calculate' },
  '/v1/messages': { max_tokens: 100, messages: [{ role: 'user', content: 'calculate' }] },
}
const TOLD: { readonly [path: string]: string } = {
  '/v1/chat/completions': '"finish_reason":"length"',
  '/v1/responses': '"incomplete_details":{"reason":"max_output_tokens"}',
  '/v1/messages': '"stop_reason":"max_tokens"',
}

describe('a run that its highest number of steps cuts off', () => {
  let served: Served
  beforeEach(async () => {
    served = await Served.start({ models: { short: ROUNDS, quick: {} } })
  })
  afterEach(() => served.close())

  for (const [path, request] of Object.entries(REQUESTS)) {
    it(`is no whole answer at ${path}`, async () => {
      for (const stream of [false, true]) {
        const ask = async (model: string) =>
          (await served.ask(path, { body: { model, ...request, stream } })).text
        expect(await ask('short')).to.include(TOLD[path])
        expect(await ask('quick')).to.not.include(TOLD[path])
      }
    })
  }
})
