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

describe('the settings that callers set for themselves', () => {
  let served: Served
  beforeEach(async () => {
    const { settings, provider } = SERVED
    served = await Served.start(
      { settable: ['/settings/signed'] },
      {
        config: { provider, settings: { ...settings, signed: { key: 'sesame' } } },
        plugins: [scripted, signed],
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
