import { expect } from 'chai'
import OpenAI from 'openai'
import { type SocketServer, socketServer } from './socket-server.ts'

type Input = OpenAI.Responses.ResponseInputItem
type Output = OpenAI.Responses.ResponseOutputItem

const PATCH = { type: 'custom', name: 'patch', description: 'Patches' } as const
const BOOKS = {
  type: 'namespace',
  name: 'mcp__books',
  description: 'A library',
  tools: [{ type: 'function', name: 'find', parameters: { type: 'object', properties: {} } }],
} as const
const TOOLS = [PATCH, BOOKS] as unknown as OpenAI.Responses.Tool[]

describe("newer tools of OpenAI's client", () => {
  let server: SocketServer
  let client: OpenAI
  before(async () => {
    server = await socketServer()
    client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'any', maxRetries: 0 })
  })
  after(() => server.close())

  const begin = (text: string): Input[] => [{ role: 'user', content: text }]

  /** The items of an answer, by a stream and at once; both say the same but for ids. */
  async function answerTo(input: Input[]): Promise<Output[]> {
    const asked = { model: 'quick', input, tools: TOOLS, store: false }
    const streamed = await client.responses.stream(asked).finalResponse()
    const { output } = await client.responses.create(asked)
    const essence = (items: readonly Output[]) =>
      items.map((item) => ('name' in item ? { name: item.name, type: item.type } : item.type))
    expect(essence(streamed.output)).to.deep.equal(essence(output))
    return output
  }

  it('is called with a text, and answers a custom tool', async () => {
    const asked = begin('patch')
    const output = await answerTo(asked)
    const call = output.find((item) => item.type === 'custom_tool_call')
    expect(call).to.include({ name: 'patch', input: '+a "b"\n' })
    const result = { type: 'custom_tool_call_output', call_id: call!.call_id, output: 'done' }
    const next = await answerTo([...asked, ...(output as Input[]), result as Input])
    expect(JSON.stringify(next)).to.include('It is done.')
  })

  it('hears the events of the input of a custom tool', async () => {
    const types = new Set<string>()
    const asked = { model: 'quick', input: 'patch', tools: TOOLS, stream: true } as const
    for await (const event of await client.responses.create(asked)) {
      types.add(event.type)
      if (event.type === 'response.custom_tool_call_input.done') {
        expect(event.input).to.equal('+a "b"\n')
      }
    }
    expect([...types]).to.include.members([
      'response.custom_tool_call_input.delta',
      'response.custom_tool_call_input.done',
    ])
    expect([...types].join()).to.not.include('function_call')
  })

  it('is called by the names that it gave a tool and its namespace', async () => {
    const asked = begin('books')
    const output = await answerTo(asked)
    const call = output.find((item) => item.type === 'function_call')
    expect(call).to.include({ name: 'find', namespace: 'mcp__books' })
    expect(JSON.parse(call?.arguments ?? '')).to.deep.equal({ title: 'Emma' })
    const result = { type: 'function_call_output', call_id: call!.call_id, output: 'here' } as const
    const next = await answerTo([...asked, ...(output as Input[]), result])
    expect(JSON.stringify(next)).to.include('Found: here.')
  })
})
