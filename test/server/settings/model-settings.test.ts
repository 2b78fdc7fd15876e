import { expect } from 'chai'
import scripted from '../../../providers/scripted/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { createHost, type Host } from '../../../src/core/index.ts'
import { createServer } from '../../../src/server/index.ts'
import { modelSettingsFaults } from '../../../src/server/settings/model-settings.ts'

const wrong = { settings: { scripted: { delay_ms: 'slow' } } }

describe('the settings of published models', () => {
  let host: Host
  afterEach(() => host.close())

  const serverOf = (options: object) => {
    const anonymous = { id: 'me', role: 'user' } as const
    return createServer({ host, storage: memoryStorage(), anonymous, ...options })
  }

  it('are told of with their place, for each model', async () => {
    host = await createHost({ plugins: [scripted] })
    const models = { a: {}, 'b/c': { config: wrong }, d: { config: wrong } }
    const faults = await modelSettingsFaults(host, models)
    expect(faults.map(({ code, pointer }) => [code, pointer])).to.deep.equal([
      ['SETTINGS_INVALID', '/models/b~1c/config/settings/scripted/delay_ms'],
      ['SETTINGS_INVALID', '/models/d/config/settings/scripted/delay_ms'],
    ])
  })

  it('have a fault of the host’s own config told once', async () => {
    host = await createHost({ plugins: [scripted], config: wrong })
    const [fault, ...others] = await modelSettingsFaults(host, { a: {}, b: {} })
    expect(fault).to.include({ pointer: '/settings/scripted/delay_ms', plugin: 'scripted' })
    expect(others).to.deep.equal([])
  })

  it('keep a server from starting, and a running one from taking them', async () => {
    host = await createHost({ plugins: [scripted] })
    const models = { m: { config: wrong } }
    const error: unknown = await serverOf({ models }).catch((thrown: unknown) => thrown)
    const pointer = '/models/m/config/settings/scripted/delay_ms'
    expect(error).to.include({ code: 'SETTINGS_INVALID', plugin: 'scripted', pointer })
    expect((error as Error).message).to.include('The model "m" cannot be published: ')
    const server = await serverOf({ models: { m: {} } })
    const anonymous = { id: 'me', role: 'user' } as const
    const refused: unknown = await server
      .reload({ host, anonymous, models })
      .catch((thrown: unknown) => thrown)
    expect(refused).to.include({ code: 'SETTINGS_INVALID' })
    await server.close()
  })

  it('may be completed by callers, and by the program for each request', async () => {
    host = await createHost({ plugins: [scripted] })
    const models = { m: { config: wrong } }
    const settable = ['/settings/scripted/delay_ms']
    expect(await modelSettingsFaults(host, models, { settable })).to.deep.equal([])
    const server = await serverOf({ models, config: () => undefined })
    await server.close()
  })
})
