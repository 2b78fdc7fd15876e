import { expect } from 'chai'
import { z } from 'zod'
import {
  agentFaults,
  checkAgentSpec,
  checkModelSpec,
  modelFaults,
  modelInfoOf,
} from '../../../src/agent/specs/index.ts'
import { HostError } from '../../../src/plugin/errors.ts'

const AGENT = { id: 'researcher' }
const MODEL = { id: 'fast', provider_id: 'openai', upstream_model: 'gpt-5-mini' }

const pointersOf = async (faults: Promise<readonly { readonly pointer: string }[]>) =>
  (await faults).map(({ pointer }) => pointer)

describe('the spec of an agent', () => {
  it('needs an id and nothing else, and stays as it was written', async () => {
    expect(await agentFaults(AGENT)).to.deep.equal([])
    const whole = {
      id: 'a.b-c_1',
      description: 'd',
      model_id: 'fast',
      system_prompt: 's',
      max_rounds: 3,
      reasoning_effort: 'high',
      plugin_ids: ['trim-history'],
      allowed_tools: null,
      excluded_tools: [],
      config: { temperature: 0, settings: { calculator: {} } },
    } as const
    const checked = await checkAgentSpec(whole)
    expect(JSON.parse(JSON.stringify(checked))).to.deep.equal(whole)
    expect(checked).to.not.have.property('excluded_tool_patterns')
  })

  it('says what to give in place of a schema of a library', async () => {
    const response_format = { type: 'json-schema', schema: z.object({}) }
    const [fault] = await agentFaults({ ...AGENT, config: { response_format } })
    expect(fault).to.have.property('pointer', '/config/response_format/schema')
    expect(fault?.message).to.include('give its JSON Schema')
  })

  it('AW-03 may have an endpoint, and then nothing that has no effect', async () => {
    const endpoint = { backend: 'a2a', base_url: 'https://far.test/agent' }
    const pointers = (more: object, spec: object = {}) =>
      pointersOf(agentFaults({ ...AGENT, ...spec, endpoint: { ...endpoint, ...more } }))
    const auth = (token: string) => ({ auth: { type: 'bearer', token } })
    expect(await pointers({ ...auth('t'), target: 'x', timeout_ms: 1, options: { a: 1 } })).to.eql(
      [],
    )
    expect(await pointers({}, { description: 'd' })).to.deep.equal([])
    expect(await pointers({}, { model_id: 'm', system_prompt: 's' })).to.deep.equal([
      '/model_id',
      '/system_prompt',
    ])
    for (const base_url of [
      'far',
      'ftp://far.test',
      'https://far.test/?a=1',
      'https://far.test/#a',
      'https://user:secret@far.test',
    ]) {
      expect(await pointers({ base_url }), base_url).to.deep.equal(['/endpoint/base_url'])
    }
    for (const token of ['', ' ', '***']) {
      expect(await pointers(auth(token)), token).to.deep.equal(['/endpoint/auth/token'])
    }
    expect(await pointers({ timeout_ms: 0 })).to.deep.equal(['/endpoint/timeout_ms'])
    expect(await pointers({ more: 1 })).to.have.length(1)
  })

  it('AW-66 says of a stop condition which of its fields is wrong', async () => {
    const pointers = async (...stop_conditions: object[]) =>
      pointersOf(agentFaults({ ...AGENT, stop_conditions }))
    expect(await pointers({ type: 'token_budget', max_total: 1 })).to.deep.equal([])
    expect(await pointers({ type: 'token_budget', max_totl: 1 })).to.deep.equal([
      '/stop_conditions/0/max_total',
      '/stop_conditions/0/max_totl',
    ])
    expect(await pointers({ type: 'tokens', max_total: 1 })).to.deep.equal([
      '/stop_conditions/0/type',
    ])
    expect(await pointers({ type: 'loop_detection', window: 1 })).to.deep.equal([
      '/stop_conditions/0/window',
    ])
    expect(await pointers({ type: 'content_match', pattern: '(?<=a)b' })).to.deep.equal([
      '/stop_conditions/0/pattern',
    ])
  })

  it('refuses unknown fields, with what they may have meant', async () => {
    const [fault, ...others] = await agentFaults({ ...AGENT, plugin_id: ['a'] })
    expect(others).to.deep.equal([])
    expect(fault?.pointer).to.equal('/plugin_id')
    expect(fault?.message).to.include('Did you mean "plugin_ids"?')
  })

  it('has all faults told together, each with its place', async () => {
    const wrong = {
      id: '../x',
      max_rounds: 0,
      plugin_ids: ['a', 1],
      allowed_tools: 'all',
      extra: 1,
    }
    expect(await pointersOf(agentFaults(wrong))).to.have.members([
      '/id',
      '/max_rounds',
      '/plugin_ids/1',
      '/allowed_tools',
      '/extra',
    ])
    const error = await checkAgentSpec(wrong, 'agents/x.md').catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(HostError)
    expect((error as HostError).code).to.equal('SPEC_INVALID')
    expect((error as HostError).message.split('\n- ')).to.have.length(6)
    expect((error as HostError).message).to.match(/^agents\/x\.md is not valid:/)
  })

  it('has faults where its patterns or its config are not valid, or decide what is not its own', async () => {
    const patterns = { ...AGENT, excluded_tool_patterns: ['ok', ''] }
    expect(await pointersOf(agentFaults(patterns))).to.deep.equal(['/excluded_tool_patterns/1'])
    const config = { model: 'm', provider: 'p', plugins: ['x'], temperature: 'hot' }
    expect(await pointersOf(agentFaults({ ...AGENT, config }))).to.deep.equal([
      '/config/provider',
      '/config/model',
      '/config/plugins',
      '/config/temperature',
    ])
  })

  it('is no list, no text, and nothing that JSON cannot hold', async () => {
    for (const wrong of [[], 'a', null, 1, undefined, { id: 'a', config: { f: () => 1 } }]) {
      expect(await agentFaults(wrong)).to.have.length(1)
    }
    const circle: { id: string; config: object } = { id: 'a', config: {} }
    circle.config = circle
    expect(await agentFaults(circle)).to.have.length(1)
  })
})

describe('the spec of a model', () => {
  it('names a provider and its model, and states facts', async () => {
    const whole = {
      ...MODEL,
      context_window: 1000,
      max_output_tokens: 1000,
      modalities: { input: ['text', 'image'], output: ['text'] },
      knowledge_cutoff: '2025-06',
      prices: { input: 1, output: 0 },
    }
    expect(await checkModelSpec(whole)).to.deep.equal(whole)
    expect(modelInfoOf(whole)).to.deep.equal({
      contextWindow: 1000,
      maxOutputTokens: 1000,
      input: ['text', 'image'],
      output: ['text'],
      price: { input: 1, output: 0 },
    })
    expect(modelInfoOf(MODEL)).to.deep.equal({})
  })

  it('has faults: a zero window, an output above it, a negative price, a twofold modality', async () => {
    const faultsOf = (more: object) => pointersOf(modelFaults({ ...MODEL, ...more }))
    expect(await faultsOf({ context_window: 0 })).to.deep.equal(['/context_window'])
    expect(await faultsOf({ context_window: 9, max_output_tokens: 10 })).to.deep.equal([
      '/max_output_tokens',
    ])
    expect(await faultsOf({ prices: { input: -1 } })).to.deep.equal(['/prices/input'])
    expect(await faultsOf({ modalities: { input: ['text', 'text'] } })).to.deep.equal([
      '/modalities/input',
    ])
    expect(await pointersOf(modelFaults({ id: 'x' }))).to.have.members([
      '/provider_id',
      '/upstream_model',
    ])
  })
})
