import { expect } from 'chai'
import { memoryStorage, type Storage } from '../../../src/agent/index.ts'
import { chatBody, Served, user } from './served.ts'

const ZONE = '/settings/clock/time_zone'

describe('a setting that only its plugin can judge', () => {
  let served: Served
  let storage: Storage
  beforeEach(async () => {
    storage = memoryStorage()
    served = await Served.start({ settable: [ZONE], storage })
  })
  afterEach(() => served.close())

  const put = (zone: string) =>
    served.ask('/api/settings', {
      method: 'PUT',
      body: { data: { settings: { clock: { time_zone: zone } } } },
      as: 'bob',
    })
  const chat = () =>
    served.ask('/api/chat', { body: chatBody('c1', [user('m1', 'hi')]), as: 'bob' })

  it('is refused with its place, and not stored', async () => {
    const { status, json } = await put('Europe/Berln')
    expect(status).to.equal(400)
    expect(json['error']).to.include({ code: 'SETTINGS_INVALID', pointer: ZONE })
    expect(json['error']?.['message']).to.include('"Europe/Berln" is not a known time zone')
    expect((await chat()).status).to.equal(200)
    expect((await put('Europe/Berlin')).status).to.equal(200)
    expect((await put('Europe/Berln')).status).to.equal(400)
  })

  it('is told to its caller by each chat where it was stored before', async () => {
    const layer = { settings: { clock: { time_zone: 'Europe/Berln' } } }
    await storage.settings.save('bob', layer, 0)
    const { status, json } = await chat()
    expect(status).to.equal(400)
    expect(json).to.include({ code: 'SETTINGS_INVALID' })
    expect(json['message']).to.match(/^Your settings are not valid\. .*"Europe\/Berln"/)
  })
})
