import { expect } from 'chai'
import { sampled } from '../helpers/cases.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

const STEP = 'def process_chunk(chunk, partials, finals, native, state):\n    return'

describe('an answer of a Python hook that is no JSON', () => {
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  const extension = (name: string, hook: string) => `
kind = "extension"
name = "${name}"

${hook}
`

  async function faultOf(...hooks: readonly string[]) {
    const plugins = hooks.map((hook, at) => extension(`e${at}`, hook))
    const host = await folder.host(plugins, { provider: 'scripted' })
    return (await host.stream({}, 'hello').result).error
  }

  const PLACES: readonly (readonly [hook: string, pointer: string, code: string])[] = [
    ['init', '/a/1', 'def init(config, state, context):\n    return {"a": [1, float("nan")]}'],
    ['toNative', '/x/y', 'def to_native(messages, native, context):\n    return {"x": {"y": {1}}}'],
    [
      'initializeRequest',
      '/0/x',
      'def initialize_request(native, state):\n    return {"x": b""}, state',
    ],
    [
      'initializeRequest',
      '/1/a~1b',
      'def initialize_request(native, state):\n    return native, {**state, "a/b": {1}}',
    ],
    [
      'finalize',
      '/0/0/parts/0/text',
      'def finalize(finals, native, state):\n    return [{"role": "assistant", "parts": [{"type": "text", "text": b""}]}], native, state',
    ],
    [
      'finalize',
      '/2/z',
      'def finalize(finals, native, state):\n    return finals, native, {"z": {1}}',
    ],
    ['processChunk', '/0/1', `${STEP} [*partials[:1], {1}], finals, native, state`],
    ['processChunk', '/1/0', `${STEP} partials, [b""], native, state`],
    ['processChunk', '/2/x', `${STEP} partials, finals, {"x": b""}, state`],
    ['processChunk', '/3/s', `${STEP} partials, finals, native, {"s": b""}`],
    ['fromNative', '/0/x', 'def from_native(natives, core):\n    return [{"x": b""}]'],
  ]
  for (const [hook, pointer, code] of sampled(PLACES, 4)) {
    it(`names the place in the answer: ${hook} ${pointer}`, async () => {
      const error = await faultOf(code)
      expect(error).to.include({ code: 'PYTHON_ANSWER_INVALID', plugin: 'e0', hook, pointer })
      expect(error?.message).to.include(`Hook "${hook}" of extension "e0" failed: `)
      expect(error?.message).to.include(`not JSON at ${pointer}: `)
    })
  }

  it('names the place in what a stream yields, or a hook hands to its context', async () => {
    const provider = (body: string) =>
      `kind = "provider"\nname = "p"\n\ndef get_tags(config, models):\n    return ["text"]\n\n${body}`
    const messageOf = async (body: string) => {
      const host = await folder.host([provider(body)], { provider: 'p' })
      const { error } = await host.stream({}, 'hello').result
      expect(error).to.include({ code: 'PYTHON_ANSWER_INVALID', plugin: 'p', hook: 'stream' })
      expect(error?.message).to.include(`not JSON at ${error?.pointer}: `)
      return error?.message.replace(/: inf.*/, '')
    }
    const data = '{"type": "data", "name": "d", "data": float("inf")}'
    const at = (pointer: string) =>
      `Hook "stream" of provider "p" failed: the value is not JSON at ${pointer}`
    const stream = 'stream(native, state, context):\n    '
    expect(await messageOf(`def ${stream}yield ${data}`)).to.equal(at('/data'))
    expect(await messageOf(`async def ${stream}yield [${data}]`)).to.equal(at('/0/data'))
    expect(await messageOf(`def ${stream}context.emit(${data})\n    yield "a"`)).to.equal(
      at('/data'),
    )
    const storing = `async def ${stream}await context.storage.set("k", ${data})\n    yield "a"`
    expect(await messageOf(storing)).to.equal(at('/data'))
  })

  it('is blamed on the last of the hooks that run together', async () => {
    const right = `${STEP} partials, finals, native, state`
    const error = await faultOf(right, `${STEP} [{1}], finals, native, state`)
    expect(error).to.include({ plugin: 'e1', hook: 'processChunk', pointer: '/0/0' })
    const core = 'def from_native(natives, core):\n    return [{"x": b""}]'
    const both = await faultOf(`${right}\n\n${core}`)
    expect(both).to.include({ plugin: 'e0', hook: 'fromNative', pointer: '/0/x' })
  })
})
