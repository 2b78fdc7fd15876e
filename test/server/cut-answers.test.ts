import { expect } from 'chai'
import { Served } from './routes/served.ts'

const script = [{ then: { tool_calls: [{ name: 'look' }], finish_reason: 'length' } }]
const settings = { scripted: { script, delay_ms: 0 } }
const input_schema = { type: 'object' }
const messages = [{ role: 'user', content: 'go' }]

describe('an answer that a limit cuts in a call of the client', () => {
  let served: Served
  before(async () => {
    served = await Served.start({ models: { cut: { config: { settings } } } })
  })
  after(() => served.close())

  const ask = async (path: string, body: object) => {
    const { status, json, text } = await served.ask(path, { body: { model: 'cut', ...body } })
    expect(status, text).to.equal(200)
    return json
  }

  it('is told as cut by Chat Completions', async () => {
    const tools = [{ type: 'function', function: { name: 'look', parameters: input_schema } }]
    const { choices } = await ask('/v1/chat/completions', { messages, tools })
    expect(choices).to.have.nested.property('[0].finish_reason', 'length')
    expect(choices).to.have.nested.property('[0].message.tool_calls[0].function.name', 'look')
  })

  it('is told as incomplete by Responses', async () => {
    const tools = [{ type: 'function', name: 'look', parameters: input_schema }]
    const json = await ask('/v1/responses', { input: 'go', tools })
    expect(json).to.deep.include({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    })
    expect(json).to.have.nested.property('output[0].type', 'function_call')
  })

  it('is told with its limit by Anthropic Messages', async () => {
    const asked = { messages, max_tokens: 9, tools: [{ name: 'look', input_schema }] }
    const json = await ask('/v1/messages', asked)
    expect(json).to.include({ stop_reason: 'max_tokens' })
    expect(json).to.have.nested.property('content[0].name', 'look')
  })
})
