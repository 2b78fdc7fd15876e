import { expect } from 'chai'
import scripted from '../../../providers/scripted/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../../src/agent/storage/index.ts'
import type { ConfigLayer, SettingsDocument } from '../../../src/core/index.ts'
import type { Extension, Feature } from '../../../src/plugin/index.ts'
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

  it('show a secret below what may be set as a field that nobody can change', async () => {
    for (const as of ['ada', 'bob'] as const) {
      const { json } = await served.ask('/api/settings?format=rjsf', { as })
      const layout = json['uiSchema']?.['settings']?.['signed']
      expect(layout?.['key']).to.deep.include({ 'ui:widget': 'password', 'ui:readonly': true })
      expect(layout?.['text'] ?? {}).to.not.have.property('ui:readonly')
      const { elements } = json['uischema'] as unknown as SettingsDocument['uischema']
      const signed = elements.find(({ options }) => options?.plugin === 'signed')?.elements ?? []
      const options = signed.map((element) => 'options' in element && element.options)
      expect(options).to.deep.equal([false, { format: 'password', readonly: true }])
    }
    expect((await put({ settings: { signed: { text: 'Bob' } } })).status).to.equal(200)
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

const kind = (name: string, key: string) => ({
  type: 'object',
  title: name,
  properties: { kind: { const: name }, [key]: { type: 'string' } },
  required: ['kind', key],
})

/** A feature whose settings need each other. */
const source = {
  kind: 'feature',
  name: 'src',
  configSchema: {
    type: 'object',
    properties: {
      from: { oneOf: [kind('file', 'path'), kind('web', 'url')] },
      depth: { type: 'integer' },
      size: { type: 'integer' },
      mode: { enum: ['plain', 'odd'] },
    },
    if: { properties: { mode: { const: 'odd' } }, required: ['mode'] },
    ['then']: { properties: { why: { type: 'string' } }, required: ['why'] },
  },
} satisfies Feature

describe('settings that do not match the schema of their plugin', () => {
  const { settings, provider } = SERVED
  const started = (
    own: {
      readonly settings?: object
      readonly storage?: Storage
      readonly plugin?: Feature
      /** What the server decides about each request. */
      readonly decided?: ConfigLayer
    } = {},
  ) =>
    Served.start(
      {
        settable: ['/settings/src', '/switches/src'],
        ...(own.storage ? { storage: own.storage } : {}),
        ...(own.decided ? { config: () => own.decided ?? {} } : {}),
      },
      {
        config: { provider, settings: { ...settings, src: { ...own.settings } } },
        plugins: [scripted, own.plugin ?? source],
      },
    )
  let served: Served
  afterEach(() => served.close())

  const put = async (src: object, more: { unset?: string[]; query?: string } = {}) => {
    const body = { data: { settings: { src } }, unset: more.unset ?? [] }
    const path = `/api/settings${more.query ?? ''}`
    const { status, json } = await served.ask(path, { method: 'PUT', body, as: 'bob' })
    const { code, pointer, message } = json['error'] ?? {}
    return { status, code, pointer, message: String(message) }
  }
  const chat = (id: string) =>
    served.ask('/api/chat', { body: chatBody(id, [user(`u-${id}`, 'hello')]), as: 'bob' })
  const kept = async () => (await served.ask('/api/settings', { as: 'bob' })).json['data']

  it('are refused, with the place and the reason, and not kept', async () => {
    served = await started()
    const before = await kept()
    for (const [src, pointer] of [
      [{ from: { kind: 'web' } }, '/settings/src/from/url'],
      [{ mode: 'odd' }, '/settings/src/why'],
      [{ depth: 'deep' }, '/settings/src/depth'],
    ] as const) {
      const { message, ...told } = await put(src)
      expect(told).to.deep.equal({ status: 400, code: 'SETTINGS_INVALID', pointer })
      expect(message).to.include(`at ${pointer}`)
    }
    expect(await kept()).to.deep.equal(before)
    expect((await chat('c')).status).to.equal(200)
  })

  it('are taken once all is there, also where another kind was kept', async () => {
    served = await started({ settings: { from: { kind: 'file', path: 'a' } } })
    expect((await put({ from: { kind: 'web', url: 'u' } })).status).to.equal(200)
    expect((await put({ mode: 'odd', why: 'because' })).status).to.equal(200)
    expect((await chat('c')).status).to.equal(200)
    const { pointer } = await put({}, { unset: ['/settings/src/why'] })
    expect(pointer).to.equal('/settings/src/why')
  })

  it('are tried before all is there, because a form asks which fields it needs', async () => {
    served = await started()
    const query = '?trial=only'
    expect((await put({ from: { kind: 'web' } }, { query })).status).to.equal(200)
    expect((await put({ from: { kind: 'web' } })).status).to.equal(400)
  })

  it('may be mended one after another, and let others be changed', async () => {
    const storage = memoryStorage()
    const invalid = { settings: { src: { depth: 'deep', size: 'big', gone: 1 } } }
    await storage.settings.save('bob', invalid, 1)
    const plugin = {
      ...source,
      configSchema: { ...source.configSchema, additionalProperties: false },
    }
    served = await started({ storage, plugin })
    expect((await put({ from: { kind: 'web', url: 'u' } })).status).to.equal(200)
    expect((await put({ depth: 'low' })).pointer).to.equal('/settings/src/depth')
    expect((await put({ depth: 2 })).status).to.equal(200)
    expect((await put({}, { unset: ['/settings/src/size'] })).status).to.equal(200)
    expect((await chat('c')).status).to.equal(400)
    expect((await put({}, { unset: ['/settings/src/gone'] })).status).to.equal(200)
    expect((await chat('c')).status).to.equal(200)
  })

  it('are told to the caller whose they are, and leave no conversation behind', async () => {
    const storage = memoryStorage()
    await storage.settings.save('bob', { settings: { src: { depth: 'deep' } } }, 1)
    served = await started({ storage })
    const { status, json } = await chat('c')
    expect([status, json['code'], json['pointer']]).to.deep.equal([
      400,
      'SETTINGS_INVALID',
      '/settings/src/depth',
    ])
    expect(json['message'])
      .to.include('Your settings')
      .and.include('"depth" must be of type integer')
      .and.include('/api/settings')
    const { text } = await served.ask('/api/conversations', { as: 'bob' })
    expect(JSON.parse(text)).to.deep.equal({ conversations: [] })
  })

  it('are told to nobody where they are those of the server', async () => {
    served = await started({ decided: { settings: { src: { depth: 'deep' } } } })
    expect((await put({ size: 1 })).status).to.equal(200)
    const { status, json } = await chat('c')
    expect([status, json['code'], json['message']]).to.deep.equal([
      500,
      'SETTINGS_INVALID',
      'The server failed to process the request.',
    ])
  })
})
