import { expect } from 'chai'
import { Served } from '../routes/served.ts'

/** Calls a tool of the host and one of the client, then says what both gave. */
const SCRIPT = [
  {
    when: { tool: 'locate' },
    then: { text: '{{result.calculate.result}} is the way to {{result.locate}}' },
  },
  {
    then: {
      tool_calls: [
        { name: 'calculate', input: { expression: '6 * 7' } },
        { name: 'locate', input: { city: 'Rome' } },
      ],
    },
  },
]
const TOOLS = [
  { type: 'function', function: { name: 'locate', parameters: { type: 'object' } } },
] as const

describe('a run that ends with calls of the client’s tools', () => {
  it('goes on with the results of the host’s tools, which the client never saw', async () => {
    const config = { provider: 'scripted', settings: { scripted: { script: SCRIPT, delay_ms: 0 } } }
    const served = await Served.start({ models: { quick: {} } }, { config })
    const ask = async (messages: readonly object[]) => {
      const body = { model: 'quick', tools: TOOLS, messages }
      const { json } = await served.ask('/v1/chat/completions', { body })
      return json['choices']?.['0']?.['message'] as unknown as {
        readonly content: string
        readonly tool_calls: readonly { readonly id: string }[]
      }
    }
    const question = { role: 'user', content: 'How far is it?' }
    const answer = await ask([question])
    expect(answer.tool_calls).to.have.length(1)
    const result = { role: 'tool', tool_call_id: answer.tool_calls[0]?.id, content: 'Rome' }
    const { content } = await ask([question, answer, result])
    expect(content).to.equal('42 is the way to Rome')
    await served.close()
  })
})
