import { expect } from 'chai'
import { chatCompletionEncoder } from '../../../../src/server/wire/chat-completions/index.ts'
import { type Served, servedCut } from '../../routes/served.ts'
import { factsOf, numbered } from '../runs.ts'

describe('a chat completion that breaks off', () => {
  let served: Served
  before(async () => {
    served = await servedCut()
  })
  after(() => served.close())

  async function linesFor(client: string): Promise<readonly string[]> {
    const body = { model: 'cut', messages: [{ role: 'user', content: 'hi' }], stream: true }
    const headers = { 'user-agent': client }
    const { text } = await served.ask('/v1/chat/completions', { body, headers })
    const lines = text.trimEnd().split('\n')
    return lines.slice(lines.findIndex((line) => line.startsWith('data: {"error"')) + 1)
  }

  // langchain4j takes it for a success without the name. A line before the data would cost go-openai the message.
  for (const client of [
    'langchain4j-openai',
    'OpenAI/JS 4.29.0',
    'OpenAI/JS 6.49.0',
    'AsyncOpenAI/Python 1.14.0',
    'OpenAI/Python 3.57.0',
    'OpenAI/Go 3.99.0',
  ]) {
    it(`names its error behind the data for ${client}`, async () => {
      expect(await linesFor(client)).to.deep.equal(['event: error', '', 'data: [DONE]'])
    })
  }

  for (const client of [
    'OpenAI/JS 4.0.0',
    'OpenAI/JS 4.28.5',
    'OpenAI/Python 1.0.0',
    'AsyncAzureOpenAI/Python 1.13.4',
  ]) {
    it(`does not name its error for ${client}, which passes over events with a name`, async () => {
      expect(await linesFor(client)).to.deep.equal(['', 'data: [DONE]'])
    })
  }

  it('names its error where the server stops', () => {
    const encoder = chatCompletionEncoder(factsOf())
    const stopped = { type: 'error', error: { code: 'HOST_CLOSED', message: 'x' } } as const
    const text = numbered([stopped]).map((event) => encoder.encode(event))
    expect(text.join('')).to.match(/"code":"host_closed"\}\}\nevent: error\n\ndata: \[DONE\]/)
  })
})
