import { expect } from 'chai'
import { createHost } from '../../src/core/index.ts'
import type { AnyPlugin } from '../../src/plugin/plugin.ts'
import { eventProvider, extension, passing } from '../helpers/plugins.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

const WORDS = [
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: 'a' },
  { type: 'text-end', id: '1' },
] as const
const WRONG = { type: 'text-delta', id: '1' }

type Rest = [partials: readonly unknown[], ...unknown[]]
type Event = { readonly type: string }

/** The events with a wrong one after each delta. */
const spoiled = (events: readonly unknown[]) =>
  events.flatMap((one) => ((one as Event).type === 'text-delta' ? [one, WRONG] : [one]))
const step = (change: (partials: readonly unknown[]) => unknown) => ({
  processChunk: (_chunk: unknown, ...[partials, ...rest]: Rest) => [change(partials), ...rest],
})
const later = (change: (partials: readonly unknown[]) => unknown) => ({
  processChunk: async (_chunk: unknown, ...[partials, ...rest]: Rest) => [
    change(partials),
    ...rest,
  ],
})

async function faultOf(provider: AnyPlugin, ...extensions: readonly AnyPlugin[]) {
  await using host = await createHost({ plugins: [provider, ...extensions] })
  const stream = host.stream({}, 'hello')
  const shown: string[] = []
  for await (const { type } of stream) shown.push(type)
  return { ...(await stream.result).error?.toJSON(), shown }
}

const right = passing('extension', 'right')
const after = passing('extension', 'zafter')

describe('a wrong event', () => {
  for (const [what, more, hook, pointer, place] of [
    ['processChunk', step(spoiled), 'processChunk', '/0/1', 'at [0][1]'],
    ['an async processChunk', later(spoiled), 'processChunk', '/0/1', 'at [0][1]'],
    [
      'fromNative',
      { fromNative: (_: unknown, core: readonly unknown[]) => spoiled(core) },
      'fromNative',
      '/1',
      'at [1]',
    ],
    ['a value that is no event', step(() => [undefined]), 'processChunk', '/0/0', 'at [0][0]'],
  ] as const) {
    for (const [how, words] of [
      ['one by one', WORDS],
      ['together', [WORDS]],
    ] as const) {
      it(`is blamed on the extension that gave it, with its place: ${what}, ${how}`, async () => {
        const plugins = [right, extension('wrong', more), after]
        const error = await faultOf(eventProvider(words), ...plugins)
        expect(error).to.include({ code: 'EVENTS_INVALID', plugin: 'wrong', hook, pointer })
        expect(error).to.include({ phase: 'partials' }).and.not.property('provider')
        expect(error.message).to.include(`Hook "${hook}" of "wrong"`).and.include(place)
      })
    }
  }

  it('is shown after the right ones that came with it', async () => {
    const { shown } = await faultOf(eventProvider([WORDS]), extension('e', step(spoiled)))
    expect(shown).to.deep.equal(['start', 'text-start', 'text-delta', 'text-end', 'error'])
  })

  it('is blamed on the provider that yields it, where extensions pass it on', async () => {
    const error = await faultOf(eventProvider([WORDS[0], WRONG]), right)
    expect(error).to.include({ plugin: 'p', hook: 'stream' }).and.not.property('pointer')
  })

  it('is blamed on the processChunk of the provider, with its place', async () => {
    const processChunk = (_: unknown, native: unknown, state: unknown) => [
      [WORDS[0], WRONG],
      [],
      native,
      state,
    ]
    const error = await faultOf(eventProvider([1], { processChunk }), right)
    expect(error).to.include({ plugin: 'p', hook: 'processChunk', pointer: '/0/1' })
  })

  it('is blamed with its place where a hook returns one list for several chunks', async () => {
    const none: readonly unknown[] = []
    const processChunk = (chunk: unknown, native: unknown, state: unknown) => [
      chunk === 3 ? [WORDS[0], WRONG] : none,
      [],
      native,
      state,
    ]
    const error = await faultOf(eventProvider([[1, 2, 3]], { processChunk }), right, after)
    expect(error).to.include({ plugin: 'p', hook: 'processChunk', pointer: '/0/1' })
  })

  it('is blamed on the extension that repeats a right one', async () => {
    const twice = step((all) => all.flatMap((one) => [one, one]))
    const error = await faultOf(eventProvider([WORDS[0]]), right, extension('wrong', twice), after)
    expect(error).to.include({ plugin: 'wrong', hook: 'processChunk', pointer: '/0/1' })
  })

  it('is blamed on the last that made it, where one before it was mended', async () => {
    const spoil = step(() => [WRONG])
    const error = await faultOf(
      eventProvider(WORDS),
      extension('a', spoil),
      extension(
        'b',
        step(() => WORDS),
      ),
      extension('c', spoil),
    )
    expect(error).to.include({ plugin: 'c', pointer: '/0/0' })
  })

  it('names those who may have left out its start', async () => {
    const without = step((all) => all.filter((one) => (one as Event).type !== 'text-start'))
    const error = await faultOf(eventProvider(WORDS), extension('wrong', without))
    expect(error).to.include({ plugin: 'p', hook: 'stream' })
    expect(error.message).to.include('may also be in the hook of "wrong"')
    expect((await faultOf(eventProvider([WRONG]), right)).message).to.not.include('may also')
  })
})

describe('a value that is no event', () => {
  const text = step(() => ['text'])
  const spreading = step((all) => all.map((one) => ({ ...(one as object) })))
  const reading = step((all) => all.filter((one) => 'type' in (one as object)))
  const readingCore = {
    fromNative: (_: unknown, core: readonly unknown[]) =>
      core.filter((one) => 'type' in (one as object)),
  }

  for (const [what, later, hook] of [
    ['makes another value of it', spreading, ''],
    ['throws', reading, 'Hook "processChunk" of extension "c" failed'],
    ['throws in fromNative', readingCore, 'Hook "fromNative" of extension "c" failed'],
  ] as const) {
    for (const words of [WORDS, [WORDS]]) {
      it(`is blamed on the extension that gave it, where a later one ${what}`, async () => {
        const plugins = [
          right,
          extension('a', text),
          extension(
            'b',
            step((all) => [...all]),
          ),
        ]
        const error = await faultOf(eventProvider(words), ...plugins, extension('c', later))
        expect(error).to.include({
          code: 'EVENTS_INVALID',
          plugin: 'a',
          hook: 'processChunk',
          pointer: '/0/0',
        })
        expect(error.message).to.include('Hook "processChunk" of "a"').and.include(hook)
      })
    }
  }

  it('is blamed on the fromNative that gave it', async () => {
    const given = { fromNative: () => ['text'] }
    const plugins = [extension('a', given), extension('c', readingCore)]
    const error = await faultOf(eventProvider(WORDS), right, ...plugins)
    expect(error).to.include({ plugin: 'a', hook: 'fromNative', pointer: '/0' })
  })

  it('is not blamed for the error of a hook that was not given it', async () => {
    const mending = step(() => WORDS)
    const failing = step(() => {
      throw new Error('own fault')
    })
    const plugins = [extension('a', text), extension('b', mending), extension('c', failing)]
    expect(await faultOf(eventProvider(WORDS), ...plugins)).to.include({ plugin: 'c' })
    const spoiling = extension('c', step(spoiled))
    const wrong = await faultOf(eventProvider(WORDS), ...plugins.slice(0, 2), spoiling)
    expect(wrong).to.include({ plugin: 'c' })
  })
})

describe('a wrong event from Python', () => {
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  const plugin = (name: string, events: string) => `
kind = "extension"
name = "${name}"

def process_chunk(chunk, partials, finals, native, state):
    return ${events}, finals, native, state
`
  const spoil = '[*partials, {"type": "text-delta", "id": "none"}]'

  it('is blamed on its extension', async () => {
    const host = await folder.host([plugin('wrong', spoil)])
    expect((await host.stream({}, 'hello').result).error).to.include({
      code: 'EVENTS_INVALID',
      plugin: 'wrong',
      hook: 'processChunk',
    })
  })

  it('is blamed on the last of those that run together, and the message names the others', async () => {
    const host = await folder.host([plugin('a-wrong', spoil), plugin('b-right', 'partials')])
    const { error } = await host.stream({}, 'hello').result
    expect(error).to.include({ code: 'EVENTS_INVALID', plugin: 'b-right', hook: 'processChunk' })
    expect(error?.message).to.include('may also be in the hook of "a-wrong"')
  })
  const reading = '[one for one in partials if one["type"]]'
  const core = (events: string) => `
def from_native(natives, core):
    return ${events}
`

  it('is blamed on the one that gave it, where a later one of those that run together fails', async () => {
    const strays = [plugin('a', '["text"]'), plugin('b', 'partials'), plugin('c', reading)]
    const host = await folder.host(strays)
    const { error } = await host.stream({}, 'hello').result
    expect(error).to.include({ code: 'EVENTS_INVALID', plugin: 'a', hook: 'processChunk' })
    expect(error?.message).to.include('extension "c" failed: TypeError')
  })

  it('is blamed on the one that gave it, where from_native fails', async () => {
    const failing = plugin('b', 'partials') + core('[one for one in core if one["type"]]')
    const host = await folder.host([plugin('a', '["text"]'), failing])
    const { error } = await host.stream({}, 'hello').result
    expect(error).to.include({ code: 'EVENTS_INVALID', hook: 'processChunk' })
    const giving = plugin('a', 'partials') + core('["text"]')
    const { error: ofCore } = await (await folder.host([giving, failing])).stream({}, 'hello')
      .result
    expect(ofCore).to.include({ code: 'EVENTS_INVALID', plugin: 'a', hook: 'fromNative' })
  })

  it('is not blamed on one that was given it by a plugin in TypeScript', async () => {
    const text = extension(
      'a-text',
      step(() => ['text']),
    )
    const host = await folder.host([text, plugin('b', 'partials'), plugin('c', reading)])
    expect((await host.stream({}, 'hello').result).error).to.include({ plugin: 'a-text' })
  })
})
