import { expect } from 'chai'
import type { PartialEvent } from '../../../../src/plugin/index.ts'
import { scriptedHost } from '../../../helpers/hosts.ts'
import { schema, tool } from '../../../helpers/plugins.ts'

const KEY = 'wt-Zq8Lk2vXr7Tn4Bp9'
const CONFIG = { settings: { leaking: { api_key: KEY } } }
const configSchema = { properties: { api_key: { type: 'string', writeOnly: true } } }

describe('secrets of the config in what tools tell', () => {
  /** What a call of a tool tells: its result, its progress and its events. */
  async function told(executeTool: (call: unknown, state: unknown, context: never) => unknown) {
    const getToolSchemas = () => [schema('leak')]
    const leaking = tool('leaking', { configSchema, getToolSchemas, executeTool })
    await using host = await scriptedHost([leaking])
    using opened = await host.open(CONFIG)
    const progress: unknown[] = []
    const events: PartialEvent[] = []
    const warnings: string[] = []
    const result = await opened.execute(
      { callId: 'c', name: 'leak', input: {} },
      {
        onProgress: (value) => progress.push(value),
        emit: (event) => events.push(event),
        warn: (warning) => warnings.push(warning),
      },
    )
    return { result, progress, events, warnings }
  }

  it('are masked in texts, values and their keys, artifacts and evidence', async () => {
    const artifacts = [{ uri: `file:///${KEY}`, title: KEY }]
    const answer = { output: { [KEY]: `Bearer ${KEY}` }, artifacts, evidence: [KEY] }
    const { result } = await told(() => answer)
    expect(result).to.deep.include({
      output: { '***': 'Bearer ***' },
      artifacts: [{ uri: 'file:///***', title: '***' }],
      evidence: ['***'],
    })
    expect((await told(() => `It is ${KEY}`)).result.output).to.equal('It is ***')
  })

  it('are masked in failures, those that the tool tells and those that it throws', async () => {
    const stated = await told(() => ({ output: `no room for ${KEY}`, isError: true }))
    expect(stated.result).to.deep.include({ output: 'no room for ***', isError: true })
    const thrown = await told(() => {
      throw new Error(`refused ${encodeURIComponent(KEY)}`)
    })
    expect(thrown.result.output).to.include('refused ***')
  })

  it('are masked in progress, events and warnings', async () => {
    const { result, ...rest } = await told(async function* (_call, _state, context) {
      const { emit, warn } = context as {
        emit: (event: object) => void
        warn: (text: string) => void
      }
      emit({ type: 'source', id: 's', url: `https://example.org/?key=${KEY}` })
      warn(`sent ${KEY}`)
      yield { half: KEY }
      yield `done with ${KEY}`
    })
    expect(result.output).to.equal('done with ***')
    expect(rest.progress).to.deep.equal([{ half: '***' }, 'done with ***'])
    expect(rest.events).to.have.length(1)
    expect(JSON.stringify(rest)).to.not.include(KEY)
  })

  it('are masked in descriptions and schemas of tools, and no model is shown a tool with one in its name', async () => {
    const input_schema = { type: 'object', properties: { a: { description: `a ${KEY}` } } }
    const getToolSchemas = () => [
      { name: 'known', description: `for ${KEY}`, input_schema },
      schema(`of-${KEY}`),
      { ...schema('away'), unavailable: `no answer to ${KEY}` },
    ]
    const leaking = tool('leaking', { configSchema, getToolSchemas, executeTool: () => 'done' })
    await using host = await scriptedHost([leaking])
    using opened = await host.open(CONFIG)
    const offered = await opened.offer()
    expect(offered.map(({ name }) => name)).to.include('known')
    expect(JSON.stringify([offered, opened.inventory])).to.not.include(KEY)
    const withheld = opened.inventory.filter(({ policy }) => policy === 'unavailable')
    expect(withheld.map(({ tool_name: name }) => name)).to.include.members(['of-***', 'away'])
    const call = { callId: 'c', name: 'known', input: {} }
    expect((await opened.execute(call)).output).to.equal('done')
  })
})
