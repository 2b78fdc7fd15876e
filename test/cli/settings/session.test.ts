import { expect } from 'chai'
import { type Field, fieldsIn, itemsOf } from '../../../src/cli/settings/fields.ts'
import { listChanges } from '../../../src/cli/settings/list-changes.ts'
import { EditSession } from '../../../src/cli/settings/session.ts'
import { type ConfigLayer, createHost, type Host } from '../../../src/core/index.ts'
import { extension, provider } from '../../helpers/plugins.ts'

const SETTINGS = {
  type: 'object',
  properties: {
    size: { type: 'integer', default: 3 },
    name: { type: 'string' },
    key: { type: 'string', writeOnly: true, 'x-env': 'BRAIDWORK_TEST_KEY' },
    source: {
      oneOf: [
        {
          type: 'object',
          properties: {
            kind: { const: 'web' },
            url: { type: 'string' },
            depth: { type: 'integer' },
          },
          required: ['kind'],
        },
        {
          type: 'object',
          properties: { kind: { const: 'folder' }, path: { type: 'string' } },
          required: ['kind'],
        },
      ],
    },
  },
}

describe('EditSession', () => {
  let host: Host
  let asked: number
  beforeEach(async () => {
    asked = 0
    const e = extension('e', {
      configSchema: SETTINGS,
      getUiElements: () => {
        asked++
        return []
      },
    })
    const q = provider('q', { models: ['q1'] })
    host = await createHost({
      plugins: [
        provider('p', { models: ['m1', 'm2'] }),
        q,
        e,
        extension('off', { defaultEnabled: false }),
      ],
    })
  })
  afterEach(() => host.close())

  const open = (own: ConfigLayer, below: ConfigLayer = { provider: 'p' }): Promise<EditSession> =>
    EditSession.open({ host, below, own, locale: 'en' })

  async function fieldAt(session: EditSession, pointer: string): Promise<Field> {
    const { document } = session
    const { elements } = document.uischema
    const items = await itemsOf(
      document,
      elements.flatMap((category) => category.elements),
    )
    const field = fieldsIn(items).find((one) => one.pointer === pointer)
    return field ?? expect.fail(`no field ${pointer}`)
  }

  async function set(session: EditSession, pointer: string, value: unknown): Promise<void> {
    await session.set(await fieldAt(session, pointer), value)
  }

  it('writes what was given, and nothing that another layer gives', async () => {
    const session = await open({ seed: 1 }, { provider: 'p', temperature: 1 })
    await set(session, '/settings/e/name', 'n')
    await set(session, '/seed', undefined)
    expect(session.edited).to.deep.equal({ settings: { e: { name: 'n' } } })
    expect(session.document.data).to.deep.include({ temperature: 1 })
  })

  it('forgets a change that was taken back', async () => {
    const session = await open({ enabled_plugins: ['off'] })
    await set(session, '/settings/e/size', 5)
    await set(session, '/switches/off', false)
    expect(session.isChanged('/settings/e/size')).to.equal(true)
    expect(session.countOf('e')).to.equal(1)
    await set(session, '/switches/off', true)
    await set(session, '/settings/e/size', 3)
    expect(session.edited).to.deep.equal({ enabled_plugins: ['off'] })
    expect(session.isChanged('/settings/e/size')).to.equal(false)
  })

  it('writes a value that stands below whole where one within it changes: layers replace it whole', async () => {
    const source = { kind: 'folder', path: '.' }
    const session = await open({}, { provider: 'p', settings: { e: { source } } })
    await set(session, '/settings/e/source/path', 'docs')
    expect(session.edited).to.deep.equal({
      settings: { e: { source: { ...source, path: 'docs' } } },
    })
    expect(await host.uiSchema({ provider: 'p', ...session.edited })).to.have.property('data')
  })

  it('writes which of several kinds a value is, where that was shown by default', async () => {
    const session = await open({})
    await set(session, '/settings/e/source/url', 'http://a.example')
    const source = { kind: 'web', url: 'http://a.example' }
    expect(session.edited).to.deep.equal({ settings: { e: { source } } })
  })

  it('takes what the old kind alone had out of the file where a setting becomes one of another', async () => {
    const own = { settings: { e: { source: { kind: 'web', url: 'u', depth: 2, note: 'mine' } } } }
    const session = await open(own)
    await set(session, '/settings/e/source/depth', 5)
    await set(session, '/settings/e/source/kind', 'folder')
    await set(session, '/settings/e/source/path', 'docs')
    const source = { kind: 'folder', path: 'docs', note: 'mine' }
    expect(session.edited).to.deep.equal({ settings: { e: { source } } })
    await set(session, '/settings/e/source/kind', 'web')
    expect(session.edited).to.deep.equal(own)
  })

  it('writes one of another kind without what a layer below has of the old one', async () => {
    const source = { kind: 'folder', path: '.' }
    const session = await open({}, { provider: 'p', settings: { e: { source } } })
    await set(session, '/settings/e/source/kind', 'web')
    expect(session.edited).to.deep.equal({ settings: { e: { source: { kind: 'web' } } } })
  })

  it('writes no list that is empty, and switches by as little as it takes', async () => {
    const session = await open({}, { provider: 'p', disabled_plugins: ['e'] })
    await set(session, '/switches/off', true)
    await set(session, '/switches/e', true)
    await set(session, '/stop', [])
    expect(session.edited).to.deep.equal({
      enabled_plugins: { add: ['off'] },
      disabled_plugins: { remove: ['e'] },
    })
  })

  it('asks for the document again where it depends on what changed, and else not', async () => {
    const session = await open({ settings: { e: { size: 1 } } })
    const before = asked
    await set(session, '/settings/e/name', 'n')
    expect(asked).to.equal(before)
    expect(session.document.data).to.have.nested.property('settings.e.name', 'n')
    await set(session, '/provider', 'q')
    expect(asked).to.equal(before + 1)
    const model = await fieldAt(session, '/model')
    expect(model.schema['enum']).to.deep.equal(['q1'])
  })

  it('stays as it was where there is no document for a value', async () => {
    const session = await open({})
    const field = await fieldAt(session, '/provider')
    const error = await session.set(field, 'gone').catch((thrown: unknown) => thrown)
    expect(error).to.include({ code: 'PROVIDER_UNKNOWN' })
    expect(session.edited).to.deep.equal({})
    expect(session.document.data).to.include({ provider: 'p' })
  })

  it('takes a secret out of the file, sets one, and lists neither', async () => {
    const own = { settings: { e: { key: 'old-sesame' } } }
    const session = await open(own)
    const field = await fieldAt(session, '/settings/e/key')
    expect([field.isSecret, session.variableOf(field)]).to.deep.equal([true, 'BRAIDWORK_TEST_KEY'])
    expect(session.isSet(field.pointer)).to.equal(true)
    await session.set(field, undefined)
    expect(session.edited).to.deep.equal({ settings: { e: {} } })
    await session.set(field, 'new-sesame')
    expect(session.edited).to.deep.equal({ settings: { e: { key: 'new-sesame' } } })
    const changes = listChanges(own, session.edited, (config) => session.masked(config))
    expect(changes).to.deep.equal(['/settings/e/key: "***" → "***"'])
    expect(JSON.stringify(session.document)).not.to.include('sesame')
  })

  it('lets a reference to a variable stand that is not set, and shows no value that one gave', async () => {
    const reference = (name: string): string => `\${env:${name}}`
    const session = await open({ settings: { e: { name: reference('BRAIDWORK_TEST_UNSET') } } })
    expect(session.isSet('/settings/e/name')).to.equal(true)
    await set(session, '/settings/e/key', reference('BRAIDWORK_TEST_KEY'))
    const changes = listChanges({}, session.edited, (config) => session.masked(config))
    expect(changes).to.deep.equal([
      `/settings/e/name: not set → ${reference('BRAIDWORK_TEST_UNSET')}`,
      `/settings/e/key: not set → ${reference('BRAIDWORK_TEST_KEY')}`,
    ])
  })
})
