import { expect } from 'chai'
import scripted from '../../../providers/scripted/index.ts'
import type { Extension } from '../../../src/plugin/index.ts'
import { SERVED } from '../clients/scripts.ts'
import { chatBody, Served, user } from './served.ts'

/** An extension with a setting, and a secret. */
const signed = {
  kind: 'extension',
  name: 'signed',
  configSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', title: 'Text' },
      key: { type: 'string', writeOnly: true, title: 'Key' },
    },
  },
} satisfies Extension

/** An extension that is off by default. */
const idle = { kind: 'extension', name: 'idle', defaultEnabled: false } satisfies Extension

describe('the settings that callers set for themselves', () => {
  let served: Served
  beforeEach(async () => {
    const { settings, provider } = SERVED
    served = await Served.start(
      { settable: ['/settings/signed', '/switches/idle'] },
      {
        config: { provider, settings: { ...settings, signed: { key: 'sesame' } } },
        plugins: [scripted, signed, idle],
      },
    )
  })
  afterEach(() => served.close())

  const put = (data: object, as: 'ada' | 'bob' = 'bob') =>
    served.ask('/api/settings', { method: 'PUT', body: { data }, as })
  const dataFor = async (as: 'ada' | 'bob') =>
    (await served.ask('/api/settings', { as })).json['data']

  it('are kept for whoever set them, and used by the runs of chat pages', async () => {
    const { status, json } = await put({ stop: 'said', settings: { signed: { text: 'Bob' } } })
    expect(status).to.equal(200)
    expect(json['data']?.['settings']).to.deep.equal({ signed: { text: 'Bob' } })
    expect((await dataFor('ada'))?.['stop']).not.to.equal('said')
    const { text } = await served.ask('/api/chat', {
      body: chatBody('c1', [user('u1', 'hello')]),
      as: 'bob',
    })
    expect(text).to.include('"delta":"You"').and.not.include('hello')
  })

  describe('for one conversation', () => {
    const place = '/api/settings?conversation='
    const create = async (as: 'ada' | 'bob' = 'bob') => {
      const { json } = await served.ask('/api/conversations', { body: {}, as })
      return json['id'] as unknown as string
    }
    const putFor = (id: string, data: object, as: 'ada' | 'bob' = 'bob') =>
      served.ask(`${place}${id}`, { method: 'PUT', body: { data }, as })
    const answerIn = async (id: string) => {
      const body = chatBody(id, [user(`u-${id}`, 'hello')])
      return (await served.ask('/api/chat', { body, as: 'bob' })).text
    }

    it('apply to its runs and to no other conversation', async () => {
      const id = await create()
      expect((await putFor(id, { stop: 'said' })).status).to.equal(200)
      expect(await answerIn(id))
        .to.include('"delta":"You"')
        .and.not.include('hello')
      expect(await answerIn(await create())).to.include('hello')
    })

    it('lie over those of the caller, and both are shown', async () => {
      const id = await create()
      await put({ temperature: 0.5, seed: 7 })
      const { json } = await putFor(id, { temperature: 0.9 })
      expect(json['data']).to.include({ temperature: 0.9, seed: 7 })
      expect(await dataFor('bob')).to.include({ temperature: 0.5, seed: 7 })
    })

    it('switch plugins on, which the explanation tells', async () => {
      const id = await create()
      const isOn = async (query: string) => {
        const { text } = await served.ask(`/api/explain?plugin=idle${query}`, { as: 'bob' })
        return (JSON.parse(text) as { plugins: { on: boolean }[] }).plugins[0]?.on
      }
      expect((await putFor(id, { switches: { idle: true } })).status).to.equal(200)
      expect([await isOn(''), await isOn(`&conversation=${id}`)]).to.deep.equal([false, true])
      await served.ask(`${place}${id}`, { method: 'DELETE', as: 'bob' })
      expect(await isOn(`&conversation=${id}`)).to.equal(false)
    })

    it('go with a branch, and with the deleted conversation', async () => {
      const id = await create()
      await putFor(id, { stop: 'said' })
      await answerIn(id)
      const { json } = await served.ask(`/api/conversations/${id}/branch`, { body: {}, as: 'bob' })
      const shown = async (from: string) =>
        (await served.ask(`${place}${from}`, { as: 'bob' })).json
      const branch = json['id'] as unknown as string
      expect((await shown(branch))['data']?.['stop']).to.equal('said')
      await served.ask(`/api/conversations/${id}`, { method: 'DELETE', as: 'bob' })
      expect((await shown(id))['error']?.['code']).to.equal('CONVERSATION_UNKNOWN')
      await served.ask('/api/conversations', { body: { id }, as: 'bob' })
      expect((await shown(id))['data']?.['stop']).to.equal(undefined)
    })

    it('are not those of another caller', async () => {
      const { status, json } = await putFor(await create('ada'), { seed: 1 })
      expect([status, json['error']?.['code']]).to.deep.equal([404, 'CONVERSATION_UNKNOWN'])
    })

    it('are checked as those of the caller are', async () => {
      const id = await create()
      const { status, json } = await putFor(id, { settings: { signed: { key: 'mine' } } })
      expect([status, json['error']?.['pointer']]).to.deep.equal([400, '/settings/signed/key'])
    })
  })

  it('are tried without being stored', async () => {
    const path = '/api/settings?trial=only'
    const body = { data: { switches: { idle: true } } }
    const { json } = await served.ask(path, { method: 'PUT', body, as: 'bob' })
    const sections = json['sections'] as unknown as { plugin?: string; on: boolean }[]
    expect(sections.find(({ plugin }) => plugin === 'idle')?.on).to.equal(true)
    expect((await dataFor('bob'))?.['switches']).to.deep.include({ idle: false })
  })

  it('are set no longer where a request says so', async () => {
    await put({ temperature: 0.5, settings: { signed: { text: 'Bob' } } })
    const unset = async (pointers: readonly string[]) => {
      const body = { unset: pointers }
      return await served.ask('/api/settings', { method: 'PUT', body, as: 'bob' })
    }
    const { status, json } = await unset(['/temperature', '/settings/signed/text', '/nowhere/x'])
    expect([status, json['error']?.['pointer']]).to.deep.equal([400, '/nowhere/x'])
    const after = await unset(['/temperature', '/settings/signed/text'])
    expect(after.json['data']).to.not.have.property('temperature')
    expect(after.json['data']?.['settings']).to.deep.equal({ signed: {} })
    const secret = await unset(['/settings/signed'])
    expect([secret.status, secret.json['error']?.['pointer']]).to.deep.equal([
      400,
      '/settings/signed',
    ])
  })

  it('come as the props of react-jsonschema-form too', async () => {
    const { json } = await served.ask('/api/settings?format=rjsf', { as: 'bob' })
    expect(json['formData']).to.deep.equal(json['data'])
    expect(Object.keys(json['uiSchema'] ?? {})).to.include.members(['settings', 'temperature'])
    const other = await served.ask('/api/settings?format=valves', { as: 'bob' })
    expect([other.status, other.json['error']?.['pointer']]).to.deep.equal([400, '/format'])
  })

  it('say what may be set', async () => {
    const { json } = await served.ask('/api/settings', { as: 'bob' })
    expect(json['settable']).to.include.members([
      '/temperature',
      '/settings/signed',
      '/switches/idle',
    ])
  })

  it('are gone once they are deleted', async () => {
    await put({ temperature: 0.5 })
    expect((await dataFor('bob'))?.['temperature']).to.equal(0.5)
    const { status } = await served.ask('/api/settings', { method: 'DELETE', as: 'bob' })
    expect(status).to.equal(204)
    expect((await dataFor('bob'))?.['temperature']).to.equal(undefined)
  })

  it('are no secrets, and nothing that the server does not let be set', async () => {
    for (const [data, pointer] of [
      [{ settings: { signed: { key: 'mine' } } }, '/settings/signed/key'],
      [{ settings: { scripted: { delay_ms: 1 } } }, '/settings/scripted/delay_ms'],
      [{ provider: 'other' }, '/provider'],
      [{ plugins: ['/etc'] }, '/plugins'],
      [{ constructor: { temperature: 1 } }, '/constructor/temperature'],
    ] as const) {
      const { status, json } = await put(data)
      expect([status, json['error']?.['pointer']], pointer).to.deep.equal([400, pointer])
    }
  })

  it('are checked before they are kept', async () => {
    const { status, json } = await put({ temperature: 'hot' })
    expect([status, json['error']?.['pointer']]).to.deep.equal([400, '/data/temperature'])
    expect((await dataFor('bob'))?.['temperature']).to.equal(undefined)
  })

  it('show nobody a secret, and users only what is theirs', async () => {
    for (const as of ['ada', 'bob'] as const) {
      const { text } = await served.ask('/api/settings', { as })
      expect(text).not.to.include('sesame')
    }
    const bobs = await dataFor('bob')
    expect(Object.keys(bobs?.['settings'] ?? {})).not.to.include('scripted')
    expect(Object.keys((await dataFor('ada'))?.['settings'] ?? {})).to.include('scripted')
  })
})

/** An extension whose form has a setting more than its schema, and that tells the model its value. */
const coloring = {
  kind: 'extension',
  name: 'coloring',
  configSchema: { type: 'object', additionalProperties: false },
  getUiElements: () => [
    { id: 'color', kind: 'setting', title: 'Color', schema: { enum: ['red', 'blue'] } },
  ],
  editMessages: (_messages, _state, { settings }) => [
    { role: 'user', parts: [{ type: 'text', text: `it is ${settings['color']}` }] },
  ],
} satisfies Extension

describe('a setting that getUiElements adds', () => {
  it('is set by its caller, to the values of its element, and used by runs', async () => {
    const { settings, provider } = SERVED
    const served = await Served.start(
      { settable: ['/settings/coloring'] },
      { config: { provider, settings }, plugins: [scripted, coloring] },
    )
    try {
      const put = (color: string) => {
        const body = { data: { settings: { coloring: { color } } } }
        return served.ask('/api/settings', { method: 'PUT', body, as: 'bob' })
      }
      expect((await put('loud')).status).to.equal(400)
      expect((await put('red')).status).to.equal(200)
      const body = chatBody('c1', [user('u1', 'hello')])
      const { text } = await served.ask('/api/chat', { body, as: 'bob' })
      expect(text).to.match(/"delta":"\W*red/)
    } finally {
      await served.close()
    }
  })
})
