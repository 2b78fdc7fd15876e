import { expect } from 'chai'
import { run } from '../../../src/agent/index.ts'
import { createHost, type Host } from '../../../src/core/index.ts'
import type { Caller, Context } from '../../../src/plugin/index.ts'
import { eventProvider, extension, feature, schema, tool } from '../../helpers/plugins.ts'

const ADA = { id: 'ada', role: 'admin', scope: 'read write', data: { team: { name: 'blue' } } }

interface Seeing {
  readonly caller?: Caller
}

/** Plugins of all kinds that note which hooks saw which caller. */
async function seeingHost(seen: Map<string, unknown>): Promise<Host> {
  const note =
    <T>(name: string, answer: (...args: unknown[]) => T) =>
    (...args: unknown[]): T => {
      seen.set(name, (args.at(-1) as Seeing).caller)
      return answer(...args)
    }
  const call = { type: 'tool-call-start', id: 'c', name: 'look' }
  let isAsked = false
  const stream = () => {
    const first = isAsked ? [] : [call, { type: 'tool-call-end', id: 'c', input: {} }]
    isAsked = true
    return first
  }
  return createHost({
    plugins: [
      eventProvider([], {
        tags: ['tools'],
        init: note('init', () => ({})),
        stream: note('stream', stream),
        embed: note('embed', () => ({ vectors: [[1]] })),
        refreshModels: note('refreshModels', () => ['m']),
      }),
      extension('e', { finalize: note('finalize', (...args) => args.slice(0, 3)) }),
      feature('f', {
        editMessages: note('editMessages', (given) => given),
        runAction: note('runAction', () => 1),
        getUiElements: note('getUiElements', () => []),
      }),
      tool('t', {
        getToolSchemas: note('getToolSchemas', () => [schema('look')]),
        executeTool: note('executeTool', () => 'seen'),
      }),
    ],
    config: { provider: 'p' },
  })
}

const HOOKS = ['init', 'stream', 'finalize', 'getToolSchemas', 'executeTool']

describe('the caller of a host', () => {
  it('is seen by hooks and tools, in and out of requests', async () => {
    const seen = new Map<string, unknown>()
    await using host = await seeingHost(seen)
    const own = host.withCaller(ADA)
    await run(own, { messages: 'hi' }).result
    await own.embed({}, ['a'])
    await own.refreshModels()
    await own.runAction('f', 'id', {})
    await own.uiSchema()
    for (const name of [...HOOKS, 'embed', 'refreshModels', 'runAction', 'getUiElements']) {
      expect(seen.get(name), name).to.deep.equal(ADA)
    }
  })

  it('is absent where the program names none, and with another host of the same plugins', async () => {
    const seen = new Map<string, unknown>()
    await using host = await seeingHost(seen)
    host.withCaller(ADA)
    await run(host, { messages: 'hi' }).result
    for (const name of HOOKS) {
      expect(seen.has(name), name).to.equal(true)
      expect(seen.get(name), name).to.equal(undefined)
    }
  })

  it('can be changed neither by plugins nor by whoever gave it', async () => {
    const seen = new Map<string, unknown>()
    await using host = await seeingHost(seen)
    const given = { id: 'ada', data: { list: [1] } }
    const own = host.withCaller(given)
    given.data.list.push(2)
    await own.embed({}, ['a'])
    const caller = seen.get('embed') as typeof given
    expect(caller).to.deep.equal({ id: 'ada', data: { list: [1] } })
    expect(Reflect.set(caller, 'id', 'bob')).to.equal(false)
    expect(Reflect.set(caller.data.list, 1, 3)).to.equal(false)
  })

  it('must be JSON, with an id, and small', async () => {
    await using host = await seeingHost(new Map())
    const circle: { [key: string]: unknown } = {}
    circle['circle'] = circle
    for (const [caller, pointer] of [
      [undefined, '/caller'],
      ['ada', '/caller'],
      [{}, '/caller/id'],
      [{ id: '' }, '/caller/id'],
      [{ id: ' ' }, '/caller/id'],
      [{ id: 'a', role: 3 }, '/caller/role'],
      [{ id: 'a', scope: ['x'] }, '/caller/scope'],
      [{ id: 'a', name: 'Ada' }, '/caller/name'],
      [{ id: 'a', data: [] }, '/caller/data'],
      [{ id: 'a', data: { at: 3n } }, '/caller/data/at'],
      [{ id: 'a', data: circle }, undefined],
      [{ id: 'a', data: { x: 'x'.repeat(20_000) } }, '/caller/data'],
    ] as const) {
      expect(() => host.withCaller(caller as unknown as Caller))
        .to.throw()
        .that.satisfies((error: { code: string; pointer: string }) => {
          expect(error.code).to.equal('OPTION_INVALID')
          if (pointer !== undefined) expect(error.pointer).to.equal(pointer)
          return true
        })
    }
  })
})

describe('the storage of a plugin outside of conversations', () => {
  const noting = feature('notes', {
    async init(...given: unknown[]) {
      const context = given.at(-1) as Context
      const seen = ((await context.storage.get('seen')) as string[] | undefined) ?? []
      told = seen
      await context.storage.set('seen', [...seen, context.caller?.id ?? 'nobody'])
      return {}
    },
  })
  let told: readonly string[] = []
  const seenBy = async (host: Host, conversationId?: string) => {
    await host.send({}, 'hi', conversationId === undefined ? {} : { conversationId })
    return told
  }

  it('belongs to the caller', async () => {
    await using host = await createHost({ plugins: [eventProvider([]), noting] })
    const [ada, bob] = [host.withCaller({ id: 'ada' }), host.withCaller({ id: 'bob' })]
    expect(await seenBy(ada)).to.deep.equal([])
    expect(await seenBy(bob)).to.deep.equal([])
    expect(await seenBy(host)).to.deep.equal([])
    expect(await seenBy(host.withCaller({ id: 'ada' }))).to.deep.equal(['ada'])
    expect(await seenBy(ada.withCaller({ id: 'bob' }))).to.deep.equal(['bob'])
  })

  it('is that of the conversation within one, whoever calls', async () => {
    await using host = await createHost({ plugins: [eventProvider([]), noting] })
    expect(await seenBy(host.withCaller({ id: 'ada' }), 'c')).to.deep.equal([])
    expect(await seenBy(host, 'c')).to.deep.equal(['ada'])
    expect(await seenBy(host.withCaller({ id: 'bob' }))).to.deep.equal([])
  })
})
