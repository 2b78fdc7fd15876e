import { expect } from 'chai'
import { Served } from './served.ts'

describe('what a server says of itself', () => {
  let served: Served
  before(async () => {
    served = await Served.start()
  })
  after(() => served.close())

  it('explains which plugins are on for a model, and why', async () => {
    const onFor = async (model: string) => {
      const { text } = await served.ask(`/api/explain?agent=${model}`)
      const { plugins } = JSON.parse(text) as { plugins: { plugin: string; on: boolean }[] }
      return plugins.filter(({ on }) => on).map(({ plugin }) => plugin)
    }
    expect(await onFor('quick')).to.have.members(['scripted', 'calculator', 'clock'])
    expect(await onFor('quick-plain')).to.deep.equal(['scripted'])
    const { text } = await served.ask('/api/explain?agent=quick-plain&plugin=clock')
    expect(text).to.include('"disabled"')
  })

  it('says who calls', async () => {
    const { json } = await served.ask('/api/caller', { as: 'bob' })
    expect(json).to.deep.equal({ id: 'bob', role: 'user' })
  })

  it('lists the tools that a model is offered', async () => {
    const { text } = await served.ask('/api/tools')
    expect(text).to.include('"calculate"').and.include('"current_time"')
    const plain = await served.ask('/api/tools?agent=quick-plain')
    expect(plain.json['tools']).to.deep.equal([])
  })

  it('LT-08 lists every registered tool, offered or not, with the reason', async () => {
    const { json } = await served.ask('/api/tools?all')
    const of = (name: string) =>
      (json['tools'] as unknown as { tool_name: string }[]).find((tool) => tool.tool_name === name)
    expect(of('calculate')).to.include({ policy: 'allowed', offered: true })
    const plain = await served.ask('/api/tools?agent=quick-plain&all')
    expect(plain.json['tools']).to.deep.include({
      tool_name: 'calculator',
      plugin: 'calculator',
      metadata_ref: 'calculator',
      capabilities: [],
      safety: {},
      policy: 'unavailable',
      runtime_owner: 'local',
      offered: false,
      reason: 'the model has no tools of the host (host_tools)',
      why: { code: 'MODEL_TOOLLESS' },
    })
  })

  it('tells whose token gives no tools that, and no change of the config', async () => {
    const identity = { id: 'ada', role: 'user', host_tools: 'none' } as const
    const bare = await Served.start({ authenticate: () => identity })
    const tools = (await bare.ask('/api/tools?all')).json['tools'] as unknown as Told[]
    expect(tools.map(({ why }) => why?.code)).to.deep.equal(tools.map(() => 'CALLER_TOOLLESS'))
    const plugins = (await bare.ask('/api/explain')).json['plugins'] as unknown as Told[]
    const ofTools = plugins.filter(({ kind }) => kind === 'tool')
    expect(ofTools).to.not.deep.equal([])
    for (const { why, change, reason } of ofTools) {
      expect([why?.code, change]).to.deep.equal(['CALLER_TOOLLESS', null])
      expect(reason).to.include('host_tools')
    }
    await bare.close()
  })

  it('lists its models as OpenAI does, or as Anthropic does for its clients', async () => {
    const ids = ['quick', 'slow', 'careful', 'quick-plain', 'slow-plain', 'careful-plain']
    const openai = await served.ask('/v1/models')
    expect(openai.json).to.include({ object: 'list' })
    expect(idsIn(openai.text)).to.deep.equal(ids)
    const headers = { 'anthropic-version': '2023-06-01' }
    const anthropic = await served.ask('/v1/models', { headers })
    expect(anthropic.json).to.include({ first_id: 'quick', last_id: 'careful-plain' })
    expect(idsIn(anthropic.text)).to.deep.equal(ids)
  })

  it('knows no model that it does not publish', async () => {
    for (const path of ['/api/explain?agent=x', '/api/tools?agent=x', '/v1/models/x']) {
      const { status, text } = await served.ask(path)
      expect(status, path).to.be.oneOf([400, 404])
      expect(text).to.match(/model/)
    }
    const { json } = await served.ask('/api/tools?agent=x')
    expect(json['error']).to.deep.include({ code: 'MODEL_UNPUBLISHED', pointer: '/agent' })
  })

  it('refuses parameters that an address does not have', async () => {
    for (const path of ['/api/explain', '/api/tools', '/api/settings']) {
      const { status, json } = await served.ask(`${path}?model=quick`)
      expect([status, json['error']?.['pointer']], path).to.deep.equal([400, '/model'])
      expect(json['error']?.['message'], path).to.include('Known fields: agent')
    }
  })

  it('answers whoever asks for what is not there in the words of the address', async () => {
    const codeAt = async (path: string) => (await served.ask(path)).json
    expect((await codeAt('/api/nothing'))['error']).to.deep.include({ code: 'METHOD_UNKNOWN' })
    expect((await codeAt('/v1/nothing'))['error']).to.include.keys('message', 'type', 'code')
  })
})

/** What a server tells of a tool or a plugin. */
interface Told {
  readonly kind?: string
  readonly reason?: string
  readonly why?: { readonly code: string }
  readonly change?: unknown
}

function idsIn(text: string): readonly string[] {
  return (JSON.parse(text) as { data: { id: string }[] }).data.map(({ id }) => id)
}
