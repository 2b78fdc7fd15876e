import { expect } from 'chai'
import { Upstream } from './upstream.ts'

const messages = [{ role: 'user', content: 'hi' }]

describe('what a client wishes of the model API', () => {
  let upstream: Upstream
  before(async () => {
    const storing = { settings: { openai: { store: true, reasoning_summary: 'detailed' } } }
    upstream = await Upstream.start({
      gpt: { provider: 'openai', model: 'gpt-5.2' },
      plain: { provider: 'openai', model: 'gpt-4.1' },
      storing: { provider: 'openai', model: 'gpt-5.2', ...storing },
      chat: { provider: 'openai', model: 'gpt-5.2', settings: { openai: { api: 'chat' } } },
      sonnet: { provider: 'anthropic', model: 'claude-sonnet-5-5' },
      haiku: { provider: 'anthropic', model: 'claude-haiku-4-5' },
      opus: { provider: 'anthropic', model: 'claude-opus-4-6' },
    })
  })
  after(() => upstream.close())

  const WISHES = {
    store: false,
    include: ['reasoning.encrypted_content'],
    reasoning: { effort: 'high', summary: 'auto' },
    prompt_cache_key: 'session-1',
  }
  const ofResponses = (model: string, more: object = WISHES) =>
    upstream.bodyOf('/v1/responses', { model, input: 'hi', ...more })

  it('reaches OpenAI: not to store, sealed reasoning, its summary, and the key of its cache', async () => {
    const { sent, ignored } = await ofResponses('gpt')
    expect(sent).to.deep.include(WISHES)
    expect(ignored).to.equal(null)
  })

  it('is not made up where the client says nothing', async () => {
    const { sent } = await ofResponses('gpt', {})
    expect(sent).not.to.have.any.keys(...Object.keys(WISHES))
    const { sent: stored } = await ofResponses('gpt', { store: true })
    expect(stored).not.to.have.any.keys(...Object.keys(WISHES))
  })

  it('is sealed reasoning also of answers that are stored', async () => {
    const { sent } = await ofResponses('gpt', { include: WISHES.include })
    expect(sent).to.deep.include({ include: WISHES.include }).and.not.have.property('store')
  })

  it('asks for no reasoning of models without', async () => {
    const { sent } = await ofResponses('plain', { ...WISHES, reasoning: { summary: 'auto' } })
    expect(sent).to.include({ store: false }).and.not.have.any.keys('include', 'reasoning')
  })

  it('gives way to the settings of the operator, but nobody stores what the client forbids', async () => {
    const { sent } = await ofResponses('storing')
    expect(sent).to.deep.include({ ...WISHES, reasoning: { effort: 'high', summary: 'detailed' } })
    const { sent: stored } = await ofResponses('storing', {})
    expect(stored).to.include({ store: true })
  })

  it('reaches Chat Completions too', async () => {
    const body = { model: 'chat', messages, store: false, prompt_cache_key: 'session-1' }
    const { sent } = await upstream.bodyOf('/v1/chat/completions', body)
    expect(sent).to.include({ store: false, prompt_cache_key: 'session-1' })
    const { sent: plain } = await upstream.bodyOf('/v1/chat/completions', {
      model: 'chat',
      messages,
    })
    expect(plain).not.to.have.any.keys('store', 'prompt_cache_key')
  })

  it('does not reach an API that has no word for it', async () => {
    const { sent } = await ofResponses('sonnet')
    expect(sent).not.to.have.any.keys('store', 'include', 'reasoning', 'prompt_cache_key')
  })

  const ofMessages = async (model: string, more: object) => {
    const body = { model, messages, max_tokens: 8000, ...more }
    const { sent, ignored } = await upstream.bodyOf('/v1/messages', body)
    expect(ignored).to.equal(null)
    return sent
  }

  it('is the end user and the number of tokens to choose from', async () => {
    const asked = { metadata: { user_id: 'u1' }, top_k: 5 }
    expect(await ofMessages('haiku', asked)).to.deep.include(asked)
    expect(await ofMessages('plain', asked)).to.include({ user: 'u1' })
    expect(await ofMessages('chat', asked)).to.include({ user: 'u1' })
  })

  it('is an end user of any length for Anthropic, and for OpenAI one that it takes', async () => {
    const metadata = { user_id: 'u'.repeat(150) }
    expect(await ofMessages('haiku', { metadata })).to.deep.include({ metadata })
    expect(await ofMessages('plain', { metadata })).not.to.have.property('user')
    expect(await ofMessages('chat', { metadata })).not.to.have.property('user')
  })

  it('is an effort beside thinking that is off, or has a budget', async () => {
    const output_config = { effort: 'low' }
    const thinking = { type: 'disabled' }
    expect(await ofMessages('sonnet', { thinking, output_config })).to.deep.include({
      output_config,
      thinking: { type: 'between_tools' },
    })
    expect(await ofMessages('sonnet', { thinking })).not.to.have.property('output_config')
    const budget = { type: 'enabled', budget_tokens: 4000 }
    expect(await ofMessages('opus', { thinking: budget, output_config })).to.deep.include({
      output_config,
      thinking: budget,
      max_tokens: 8000,
    })
    const most = { effort: 'max' }
    expect(await ofMessages('sonnet', { thinking, output_config: most })).to.deep.include({
      output_config: { effort: 'high' },
    })
  })
})
