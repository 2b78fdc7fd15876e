import { expect } from 'chai'
import memory from '../../../features/memory/index.ts'
import scripted from '../../../providers/scripted/index.ts'
import type { Config, Feature, Message } from '../../../src/plugin/index.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { SERVED } from '../clients/scripts.ts'
import { chatBody, Served, user } from './served.ts'

const TEA = 'The user likes tea.'

describe('actions of plugins in the conversations of callers', () => {
  let served: Served
  let shown: string
  const look: Feature = {
    kind: 'feature',
    name: 'look',
    editMessages(messages: readonly Message[]) {
      shown = JSON.stringify(messages)
      return messages
    },
    runAction(id) {
      const message = 'cannot open /secret'
      throw id === 'open'
        ? Object.assign(new Error(message), { code: 'ENOENT' })
        : new Error(message)
    },
  }
  beforeEach(async () => {
    served = await Served.start({ actions: ['memory', 'look'] }, ownHost())
  })
  afterEach(() => served.close())

  function ownHost() {
    const { provider, settings } = SERVED
    const config: Config = { provider, settings, enabled_plugins: ['memory'] }
    return { config, plugins: [scripted, memory, look] }
  }

  const act = (
    id: string,
    body: object,
    {
      path = 'memory/remember',
      as = 'bob',
    }: { readonly path?: string; readonly as?: 'ada' | 'bob' } = {},
  ) => served.ask(`/api/conversations/${id}/actions/${path}`, { method: 'POST', body, as })
  const create = (id: string, as: 'ada' | 'bob' = 'bob') =>
    served.ask('/api/conversations', { body: { id }, as })
  const say = (id: string, as: 'ada' | 'bob' = 'bob') =>
    served.ask('/api/chat', { body: chatBody(id, [user(`u-${id}`, 'hello')]), as })

  it('store facts that the next answer is given, and no other conversation has', async () => {
    await create('c1')
    await create('c1', 'ada')
    const { status, json } = await act('c1', { text: TEA })
    expect(status).to.equal(200)
    expect(json['result']).to.include({ text: TEA, pinned: false })
    await say('c1')
    expect(shown).to.include(TEA)
    await say('c1', 'ada')
    expect(shown).to.not.include(TEA)
    const { json: listed } = await act('c1', {}, { path: 'memory/list' })
    expect(listed['result']).to.have.length(1)
  })

  it('are refused in the words of the plugin, and fail without them', async () => {
    await create('c1')
    const refused = async (path: string, body: object) => {
      const { status, json } = await act('c1', body, { path })
      expect(status).to.equal(400)
      return json['error']
    }
    expect(await refused('memory/remember', { txt: TEA })).to.include({
      code: 'INPUT_INVALID',
      pointer: '/txt',
    })
    expect((await refused('memory/forget', { id: 'x' }))?.['message']).to.include('no fact "x"')
    expect(await refused('memory/remembr', {})).to.include({ code: 'ACTION_UNKNOWN' })
    for (const action of ['open', 'break']) {
      const { status, text } = await act('c1', {}, { path: `look/${action}` })
      expect(status).to.equal(500)
      expect(text).to.include('The server failed').and.not.include('secret')
    }
  })

  it('are of plugins that there are', async () => {
    const error = await errorOf(Served.start({ actions: ['memmory'] }, ownHost()))
    expect(error).to.include({ code: 'OPTION_INVALID', pointer: '/actions/0' })
    expect(error).to.have.property('message').that.includes('Did you mean "memory"?')
  })

  it('are refused where the plugin is off', async () => {
    await served.close()
    const { config, plugins } = ownHost()
    served = await Served.start(
      { actions: ['memory'] },
      { plugins, config: { ...config, enabled_plugins: [] } },
    )
    await create('c1')
    const { status, json } = await act('c1', { text: TEA })
    expect(status).to.equal(400)
    expect(json['error']).to.include({ code: 'PLUGIN_OFF' })
  })

  it('exist for listed plugins and conversations of the caller only', async () => {
    await create('c1', 'ada')
    expect((await act('c1', { text: TEA })).status).to.equal(404)
    const { status, text } = await act('c1', {}, { path: 'other/remember', as: 'ada' })
    expect(status).to.equal(404)
    expect(text).to.include('no actions of a plugin').and.include('server.actions')
    await served.close()
    served = await Served.start({}, ownHost())
    await create('c1')
    expect((await act('c1', { text: TEA })).status).to.equal(404)
  })
})
