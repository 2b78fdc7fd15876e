import { expect } from 'chai'
import { type ConfigLayer, createHost } from '../../../src/core/index.ts'
import type { AnyPlugin } from '../../../src/plugin/plugin.ts'
import { errorOf, eventProvider, extension, feature } from '../../helpers/plugins.ts'
import { eachPythonFolder, type PythonFolder } from '../../helpers/python-hosts.ts'

const SECRET = 'key-0123456789abcdef'

type List = readonly object[]

const note = { role: 'system', parts: [{ type: 'text', text: 'Be short.' }] }
const asked = { role: 'user', parts: [{ type: 'text', text: 'hi' }] }

async function dryRun(plugins: readonly AnyPlugin[], config: ConfigLayer = {}) {
  await using host = await createHost({ plugins, config })
  return await host.dryRun({}, 'hi', { steps: true })
}

describe('the steps of a dry run', () => {
  const provider = (more: object = {}) =>
    eventProvider([], {
      init: () => ({ a: 1 }),
      toNative: (messages: List) => ({ messages }),
      ...more,
    })

  it('tell what each hook changed, in order', async () => {
    const { native, state, steps } = await dryRun([
      provider(),
      feature('guide', { editMessages: (messages: List) => [note, ...messages] }),
      extension('more', {
        init: (_config: unknown, before: object) => ({ ...before, b: 2 }),
        toNative: (_core: unknown, before: object) => ({ ...before, more: true }),
        initializeRequest: (before: object, kept: object) => [{ ...before, late: 1 }, kept],
      }),
    ])
    expect(native).to.deep.equal({ messages: [note, asked], more: true, late: 1 })
    expect(state).to.deep.equal({ a: 1, b: 2 })
    const messages = [note, asked]
    expect(steps).to.deep.equal([
      { plugin: 'p', hook: 'init', of: 'state', changes: [{ path: '', after: { a: 1 } }] },
      { plugin: 'more', hook: 'init', of: 'state', changes: [{ path: '/b', after: 2 }] },
      {
        plugin: 'guide',
        hook: 'editMessages',
        of: 'messages',
        changes: [{ path: '/0', after: note }],
      },
      { plugin: 'p', hook: 'toNative', of: 'native', changes: [{ path: '', after: { messages } }] },
      { plugin: 'more', hook: 'toNative', of: 'native', changes: [{ path: '/more', after: true }] },
      {
        plugin: 'more',
        hook: 'initializeRequest',
        of: 'native',
        changes: [{ path: '/late', after: 1 }],
      },
    ])
  })

  it('name a hook that changed nothing, and a state that changed late', async () => {
    const { steps } = await dryRun([
      provider(),
      feature('idle', { editMessages: (messages: List) => messages }),
      extension('late', { initializeRequest: (native: unknown) => [native, { a: 2 }] }),
    ])
    expect(steps?.slice(1)).to.deep.equal([
      { plugin: 'idle', hook: 'editMessages', of: 'messages', changes: [] },
      {
        plugin: 'p',
        hook: 'toNative',
        of: 'native',
        changes: [{ path: '', after: { messages: [asked] } }],
      },
      { plugin: 'late', hook: 'initializeRequest', of: 'native', changes: [] },
      {
        plugin: 'late',
        hook: 'initializeRequest',
        of: 'state',
        changes: [{ path: '/a', before: 1, after: 2 }],
      },
    ])
  })

  it('see a change that a plugin makes in place', async () => {
    const { steps } = await dryRun([
      provider(),
      extension('rude', {
        toNative: (_core: unknown, native: object) => Object.assign(native, { rude: true }),
      }),
    ])
    expect(steps?.at(-1)?.changes).to.deep.equal([{ path: '/rude', after: true }])
  })

  it('are not there unless they are asked for', async () => {
    await using host = await createHost({ plugins: [provider()] })
    expect(await host.dryRun({}, 'hi')).to.have.all.keys('native', 'state')
  })

  it('change nothing in what is told beside them', async () => {
    await using host = await createHost({
      plugins: [provider(), extension('b', { toNative: (_: unknown, n: object) => ({ ...n }) })],
    })
    const { steps: _, ...told } = await host.dryRun({}, 'hi', { steps: true })
    expect(told).to.deep.equal(await host.dryRun({}, 'hi'))
  })

  it('are there by their type where they were asked for', async () => {
    await using host = await createHost({ plugins: [provider()] })
    const opened = await host.open()
    for (const told of [
      await host.dryRun({}, 'hi', { steps: true }),
      await opened.dryRun('hi', { steps: true }),
    ]) {
      for (const { plugin } of told.steps) expect(plugin).to.equal('p')
    }
    const untold = await host.dryRun({}, 'hi')
    // @ts-expect-error: without the option there may be none
    expect(() => untold.steps.length).to.throw(TypeError)
    opened.end()
  })

  it('show no secret', async () => {
    const configSchema = {
      type: 'object',
      properties: { api_key: { type: 'string', format: 'password', writeOnly: true } },
    }
    const told = await dryRun(
      [
        provider({
          configSchema,
          init: ({ settings }: { settings: { p: object } }) => settings.p,
          toNative: (_: unknown, { api_key: key }: { api_key: string }) => ({
            headers: { authorization: `Bearer ${key}`, [key]: 1 },
          }),
        }),
      ],
      { settings: { p: { api_key: SECRET } } },
    )
    expect(JSON.stringify(told)).not.to.contain(SECRET)
    expect(told.native).to.deep.equal({ headers: { authorization: 'Bearer ***', '***': 1 } })
    expect(told.steps[0]?.changes[0]?.after).to.deep.equal({ api_key: '***' })
  })

  it('are cut where a plugin adds much', async () => {
    const long = 'x'.repeat(100_000)
    const { native, steps } = await dryRun([provider({ toNative: () => ({ long }) })])
    expect(native).to.deep.equal({ long })
    const [change] = steps?.at(-1)?.changes ?? []
    const told = JSON.stringify({ long }).slice(0, 64 << 10)
    expect(change).to.deep.equal({ path: '', after: told, leftOut: 100_011 - told.length })
  })

  it('name what is no JSON', async () => {
    const own: Record<string, unknown> = { bytes: new Uint8Array(3), none: undefined, nan: NaN }
    own['self'] = own
    const { native } = await dryRun([provider({ toNative: () => own })])
    expect(native).to.deep.equal({
      bytes: '[object Uint8Array]',
      nan: '[object Number]',
      self: '[…]',
    })
  })

  it('call hooks of classes with private members as a request does', async () => {
    class Counting {
      readonly kind = 'extension'
      readonly name = 'counting'
      #count = 1
      async initializeRequest(native: object, state: object) {
        return [{ ...native, count: this.#count++ }, state]
      }
    }
    const { native } = await dryRun([provider(), new Counting() as unknown as AnyPlugin])
    expect(native).to.deep.include({ count: 1 })
  })

  it('end with the error of a hook that fails, as a request does', async () => {
    const toNative = () => {
      throw new Error('boom')
    }
    const error = await errorOf(dryRun([provider(), extension('bad', { toNative })]))
    expect(error).to.include({ code: 'HOOK_FAILED', plugin: 'bad', hook: 'toNative' })
  })

  describe('of Python plugins', function () {
    this.timeout(30_000)
    let folder: PythonFolder
    eachPythonFolder((made) => {
      folder = made
    })

    it('tell the same', async () => {
      const host = await folder.host([
        provider(),
        `
kind = "feature"
name = "guide-py"

def edit_messages(messages, state):
    return [{"role": "system", "parts": [{"type": "text", "text": "Be short."}]}, *messages]
`,
        `
kind = "extension"
name = "more-py"

async def initialize_request(native, state):
    return {**native, "late": 1}, {**state, "b": 2}
`,
      ])
      const told = await host.dryRun({ provider: 'p' }, 'hi', { steps: true })
      expect(told.steps?.filter(({ plugin }) => plugin.endsWith('-py'))).to.deep.equal([
        {
          plugin: 'guide-py',
          hook: 'editMessages',
          of: 'messages',
          changes: [{ path: '/0', after: note }],
        },
        {
          plugin: 'more-py',
          hook: 'initializeRequest',
          of: 'native',
          changes: [{ path: '/late', after: 1 }],
        },
        {
          plugin: 'more-py',
          hook: 'initializeRequest',
          of: 'state',
          changes: [{ path: '/b', after: 2 }],
        },
      ])
    })
  })
})
