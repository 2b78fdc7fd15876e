import { expect } from 'chai'
import { type RunOptions, type RunResult, run } from '../../../../src/agent/index.ts'
import type { Host } from '../../../../src/core/host/index.ts'
import type { Config, Message, RunEvent } from '../../../../src/plugin/index.ts'
import mcp from '../../../../tools/mcp/index.ts'
import { collect, scriptedHost } from '../../../helpers/hosts.ts'
import { extension } from '../../../helpers/plugins.ts'
import { callOn, keepHosts, sdkServer, serversConfig } from '../mcp-host.ts'

const LOAVES = 'How many loaves?'
const THINKING = {
  when: { step: 1, equals: 'go' },
  then: { tool_calls: [{ name: 'fx__thinks', input: {} }] },
}
const SCRIPT = [
  { when: { equals: LOAVES }, then: { text: 'Four.', usage: { input: 7, output: 3 } } },
  THINKING,
  { then: { text: 'Done.' } },
]
const callingTimes = (times: number) => [
  SCRIPT[0],
  { ...THINKING, then: { tool_calls: [{ name: 'fx__thinks', input: { times } }] } },
  SCRIPT[2],
]

interface Asked {
  readonly messages: readonly Message[]
  readonly config: Config
}

for (const [era, args] of [
  ['2026-07-28', []],
  ['2025-11-25', ['--era', '2025']],
] as const) {
  describe(`sampling of an MCP server, over protocol ${era}`, function () {
    this.timeout(20_000)
    const kept = keepHosts()
    let host: Host | undefined
    let asked: Asked[]

    const start = async (sampling?: object) => {
      asked = []
      let now: Config = {}
      const watch = extension('watch', {
        init: (config: Config, state: object) => {
          now = config
          return state
        },
        editMessages: (messages: readonly Message[]) => {
          asked.push({ messages, config: now })
          return messages
        },
      })
      const server = { ...sdkServer(...args), ...(sampling ? { sampling } : {}) }
      host = await kept(scriptedHost([mcp, watch], serversConfig({ fx: server })))
      return host
    }

    async function ran(options: Partial<RunOptions> = {}, script: readonly unknown[] = SCRIPT) {
      if (!host) throw new Error('no host')
      const config = { settings: { scripted: { script, delay_ms: 0 } } } as never
      const stream = run(host, { config, messages: 'go', ...options })
      const events = await collect<RunEvent>(stream)
      const result = await stream.result
      return { events, result, output: outputOf(result) }
    }

    it('is refused unless the config allows it', async () => {
      await start()
      expect((await ran()).output).to.match(/refuse|not support|does not declare|capabilit/i)
      expect(asked.filter(({ messages }) => textIn(messages).includes(LOAVES))).to.deep.equal([])
    })

    it('is answered by the model of the config, with the messages of the server and nothing else', async () => {
      await start({ policy: 'allow' })
      const { output, result } = await ran()
      expect(output).to.match(/^Four\. \(scripted-1, endTurn\)$/)
      expect(result.status).to.equal('done')
      const [request] = asked.filter(({ messages }) => textIn(messages).includes(LOAVES))
      expect(request?.messages.map(({ role }) => role)).to.deep.equal(['system', 'user'])
      expect(textIn(request?.messages ?? [])).to.equal(`You bake. ${LOAVES}`)
      expect(request?.config).to.include({ temperature: 0.5, max_output_tokens: 1_024 })
      expect(request?.config.stop).to.deep.equal(['END'])
      expect(request?.config.tools ?? []).to.deep.equal([])
    })

    it('counts for the run, is told as the progress of its call, and is told to who counts costs', async () => {
      await start({ policy: 'allow', max_tokens: 50 })
      const answers: number[] = []
      const onAnswer: RunOptions['onAnswer'] = ({ result }) => {
        answers.push(result.usage.output ?? 0)
      }
      const { events, result } = await ran({ onAnswer })
      expect(asked.some(({ config }) => config.max_output_tokens === 50)).to.equal(true)
      expect(answers).to.have.length(3)
      const progress = events.find(({ type }) => type === 'tool-execution-progress')
      expect(progress).to.have.nested.property('progress.asked_model').that.deep.includes({
        provider: 'scripted',
        model: 'scripted-1',
        finish_reason: 'stop',
      })
      const end = events.find(({ type }) => type === 'tool-execution-end')
      expect(end).to.have.nested.property('usage.output', answers[1])
      expect(result.usage.output).to.equal(answers.reduce((sum, one) => sum + one))
    })

    it('ends the run by its budget, whoever spent it', async () => {
      await start({ policy: 'allow' })
      const stopConditions = [{ type: 'token_budget', max_total: 12 }] as never
      const { result } = await ran({ stopConditions })
      expect(result.termination).to.include({ reason: 'stopped' })
    })

    it('is refused beyond so many requests of a call', async () => {
      await start({ policy: 'allow', requests: 2 })
      const { output } = await ran({}, callingTimes(3))
      expect(output).to.include('a call may ask the model 2 times')
      const requests = asked.filter(({ messages }) => textIn(messages).includes(LOAVES))
      expect(requests).to.have.length(2)
    })

    it('CT-31 asks the person first where the config says so', async () => {
      await start({ policy: 'ask' })
      const { result } = await ran()
      const { suspension, messages } = result
      const [approval] = suspension?.approvals ?? []
      if (!suspension || !approval) throw new Error('the run does not wait')
      expect(Object(approval.input).question)
        .to.include('The MCP server "fx" asks your model')
        .and.include(LOAVES)
      for (const [value, told] of [
        [{ allow: true }, 'Four.'],
        [{ allow: false }, 'the person did not allow it'],
      ] as const) {
        const { suspension: again, messages: before } = value.allow
          ? { suspension, messages }
          : (await ran()).result
        const [one] = again?.approvals ?? []
        if (!again || !one) throw new Error('the run does not wait')
        const verdicts = [{ approvalId: one.approvalId, approved: true, value }]
        const { output } = await ran({ messages: before, resume: { ...again, verdicts } })
        expect(output).to.include(told)
      }
    })

    it('is refused where the person is to be asked and cannot be, and outside of a run', async () => {
      await start({ policy: 'ask' })
      expect((await ran({ canAsk: false })).output).to.include('the person did not allow it')
      const own = await start({ policy: 'allow' })
      const { output } = await callOn(own, 'fx__thinks')
      expect(String(output)).to.include('it may not ask the model')
    })

    it('fails with what the model API says, and the call goes on', async () => {
      await start({ policy: 'allow' })
      const failing = [
        { when: { equals: LOAVES }, then: { fault: 'overloaded' } },
        ...SCRIPT.slice(1),
      ]
      const { output, result } = await ran({}, failing)
      expect(output).to.match(/overloaded/i)
      expect(result.status).to.equal('done')
    })
  })
}

function textIn(messages: readonly Message[]): string {
  return messages
    .flatMap(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')))
    .join(' ')
}

/** What the model is told of the call. */
function outputOf({ messages }: RunResult): string {
  const parts = messages.flatMap((message) => message.parts)
  const result = parts.find(({ type }) => type === 'tool-result')
  return result?.type === 'tool-result' ? JSON.stringify(result.output).replace(/^"|"$/g, '') : ''
}
