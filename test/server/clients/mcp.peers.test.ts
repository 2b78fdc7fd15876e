import { expect } from 'chai'
import { tokenAuthenticator } from '../../../src/server/index.ts'
import { askScript, needsPeer } from '../../helpers/peer-scripts.ts'
import { type SocketServer, socketServer } from './socket-server.ts'

const IT_IS = 'It is {"expression":"6 * 7","result":"42","exact":true}.'
const TOKEN = 'ada-0123456789abcdef'

interface Answer {
  readonly names: readonly string[]
  readonly results: readonly { readonly isError: boolean; readonly text: string }[]
  readonly asked: readonly string[]
}

describe('the MCP client of the AI SDK', function () {
  this.timeout(60_000)
  let served: SocketServer
  before(async function () {
    needsPeer(this, '@ai-sdk/mcp')
    const authenticate = tokenAuthenticator([{ token: TOKEN, id: 'ada' }])
    served = await socketServer({ authenticate })
  })
  after(() => served?.close())

  const ask = async (calls: readonly object[], more: object = {}) => {
    const asked = { url: `${served.url}/mcp`, token: TOKEN, calls, ...more }
    return (await askScript('mcp-ai-sdk.mjs', asked)) as Answer
  }
  const careful = { name: 'careful', input: { message: 'calculate' } }

  it('has the agents as tools, goes on with a conversation, and reads errors', async () => {
    const input = { message: 'calculate', conversation: 'one' }
    const { names, results } = await ask([
      { name: 'quick', input },
      { name: 'quick', input: { ...input, message: 'hello' } },
      { name: 'quick', input: { message: 'overload' } },
    ])
    expect(names).to.deep.equal(['quick', 'slow', 'careful'])
    expect(results).to.deep.equal([
      { isError: false, text: IT_IS },
      { isError: false, text: 'You said: hello' },
      { isError: true, text: 'The model API is overloaded.' },
    ])
  })

  it('asks a person, or is told that nobody can be asked', async () => {
    const answer = { action: 'accept', content: { approve: true } }
    const { results, asked } = await ask([careful], { answer })
    expect(results[0]?.text).to.equal(IT_IS)
    expect(asked).to.deep.equal(['May the tool "calculate" be run with {"expression":"6 * 7"}?'])
    expect((await ask([careful])).results[0]?.text).to.include('Nobody could be asked')
  })
})
