import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { errorOf } from '../../helpers/plugins.ts'
import { ask, called, configOf, rules, scripting, user } from './ask.ts'

describe('script', () => {
  it('answers by the first rule that holds', async () => {
    const config = scripting([{ text: 'hello' }, { text: 'Hi.' }], [undefined, { text: 'Else.' }])
    expect((await ask('Well, HELLO there', config)).text).to.equal('Hi.')
    expect((await ask('Bye', config)).text).to.equal('Else.')
  })

  it('falls to the transcript where no rule holds', async () => {
    const config = scripting([{ text: 'hello' }, { text: 'Hi.' }])
    expect((await ask('My name is Ada.', config)).text).to.equal('Noted. Your name is Ada.')
  })

  it('tells a whole message from a part of one', async () => {
    const config = scripting([{ equals: 'hello' }, { text: 'Hi.' }], [undefined, { text: 'Else.' }])
    expect((await ask(' Hello ', config)).text).to.equal('Hi.')
    expect((await ask('Hello there', config)).text).to.equal('Else.')
  })

  it('follows a run step by step: calls, then what their results led to', async () => {
    const config = scripting(
      [
        { text: 'weather' },
        { reasoning: 'I look.', tool_calls: [{ name: 'look', input: { city: 'Paris' } }] },
      ],
      [{ tool: 'look' }, { text: 'It is {{result.look.sky}}; you asked: {{user}} {{unknown}}' }],
    )
    const first = await ask('The weather?', config)
    expect(first.message.parts).to.deep.equal([
      { type: 'reasoning', text: 'I look.', providerMetadata: { scripted: { id: 'reasoning_1' } } },
      { type: 'tool-call', callId: 'call_1', name: 'look', input: { city: 'Paris' } },
    ])
    expect(first.message.metadata?.finishReason).to.equal('tool-calls')
    const second = await ask([user('The weather?'), ...called('look', {}, { sky: 'blue' })], config)
    expect(second.text).to.equal('It is blue; you asked: The weather? {{unknown}}')
  })

  it('lets a rule on the text alone hold once, so that its calls do not go round', async () => {
    const config = scripting([{ text: 'look' }, { tool_calls: [{ name: 'look' }] }])
    const { text } = await ask([user('look'), ...called('look', {}, 'Blue')], config)
    expect(text).to.equal('look says: Blue.')
  })

  it('knows the step', async () => {
    const config = scripting([{ step: 2 }, { text: 'second' }], [undefined, { text: 'another' }])
    expect((await ask([user('a'), ...called('look', {}, 1)], config)).text).to.equal('second')
    expect((await ask('a', config)).text).to.equal('another')
  })

  it('fills templates in inputs, and names results that are not there', async () => {
    const config = scripting([
      undefined,
      {
        tool_calls: [
          { name: 'note', input: { lines: ['{{user}}', '{{result.none}}'], of: { a: 1 } } },
        ],
      },
    ])
    const { calls } = await ask('Milk', config)
    expect(calls[0]?.input).to.deep.equal({ lines: ['Milk', '(no result of none)'], of: { a: 1 } })
  })

  it('answers with sources, files, data, and calls that the provider ran itself', async () => {
    const config = scripting([
      undefined,
      {
        text: 'See.',
        sources: [{ url: 'https://example.com/', title: 'Example' }],
        files: [{ media_type: 'image/png', data: 'aGk=', name: 'dot.png' }],
        data: [{ name: 'chart', data: { points: [1, 2] } }],
        tool_calls: [{ name: 'search', input: { query: 'a' }, output: ['b'] }],
      },
    ])
    const { message } = await ask('Go', config)
    const own = { providerExecuted: true, providerMetadata: { scripted: { id: 'call_1' } } }
    expect(message.parts).to.deep.equal([
      { type: 'text', text: 'See.' },
      { type: 'source', url: 'https://example.com/', title: 'Example' },
      { type: 'file', mediaType: 'image/png', data: 'aGk=', name: 'dot.png' },
      { type: 'data', name: 'chart', data: { points: [1, 2] } },
      { type: 'tool-call', callId: 'call_1', name: 'search', input: { query: 'a' }, ...own },
      { type: 'tool-result', callId: 'call_1', name: 'search', output: ['b'], ...own },
    ])
    expect(message.metadata?.finishReason).to.equal('stop')
  })

  it('writes arguments that are no JSON, which stay text', async () => {
    const config = scripting([
      undefined,
      { tool_calls: [{ name: 'look', arguments: '{"city": ' }] },
    ])
    expect((await ask('Go', config)).calls[0]?.input).to.equal('{"city": ')
  })

  it('takes finish reason, usage and metadata as they are given', async () => {
    const usage = { input: 10, output: 5, reasoning: 2, cache_read: 8 }
    const retry = { message: 'Once more', code: 'GUARD' }
    const config = scripting([
      undefined,
      { text: 'a', finish_reason: 'content-filter', usage, metadata: { retry } },
    ])
    expect((await ask('Go', config)).message.metadata).to.deep.equal({
      retry,
      finishReason: 'content-filter',
      usage: { input: 10, output: 5, reasoning: 2, cacheRead: 8, raw: usage },
    })
  })

  it('leaves usage out where a script says that nothing is known', async () => {
    const { message } = await ask('Go', scripting([undefined, { text: 'a', usage: {} }]))
    expect(message.metadata?.usage).to.deep.equal({})
  })

  it('may be empty', async () => {
    expect((await ask('Go', scripting([undefined, { text: '' }]))).message.parts).to.deep.equal([])
  })

  it("changes the transcript's answer where it names no content", async () => {
    const { text, message } = await ask(
      'My name is Ada.',
      scripting([undefined, { metadata: { mark: 1 } }]),
    )
    expect(text).to.equal('Noted. Your name is Ada.')
    expect(message.metadata).to.include({ mark: 1 })
  })

  it('sets the sizes of the pieces', async () => {
    const sizes = async (chunks?: unknown) => {
      const then = { text: 'abcdef 😀!', ...(chunks === undefined ? {} : { chunks }) }
      const { events } = await ask('Go', scripting([undefined, then]))
      return events.flatMap((event) => (event.type === 'text-delta' ? [event.delta] : []))
    }
    expect(await sizes([3, 1])).to.deep.equal(['abc', 'd', 'ef ', '😀', '!'])
    expect(await sizes(4)).to.deep.equal(['abcd', 'ef 😀', '!'])
    expect(await sizes()).to.deep.equal(['abcdef', ' 😀!'])
  })

  it('keeps its reasoning to itself where none is wanted', async () => {
    const script = rules([undefined, { reasoning: 'Hm.', text: 'a' }])
    const { message } = await ask('Go', configOf({ script }, { reasoning_effort: 'none' }))
    expect(message.parts.map(({ type }) => type)).to.deep.equal(['text'])
  })

  describe('that is wrong', () => {
    const faults: readonly [script: unknown, pointer: string, message: string][] = [
      ['hello', '', 'must be an array'],
      [[{ when: {} }], '/0', '"then" is missing'],
      [rules([{ txt: 'a' }, {}]), '/0/when/txt', 'known keys are text, equals, tool, step'],
      [rules([{ step: 0 }, {}]), '/0/when/step', 'whole number from 1 up'],
      [rules([undefined, {}], [undefined, { text: 1 }]), '/1/then/text', 'must be a text'],
      [rules([undefined, { tool_calls: [{}] }]), '/0/then/tool_calls/0', '"name" is missing'],
      [rules([undefined, { fault: 'fire' }]), '/0/then/fault', '"fire" is not one of rate-limit'],
      [
        rules([undefined, { finish_reason: 'done' }]),
        '/0/then/finish_reason',
        '"done" is not one of stop',
      ],
      [rules([undefined, { chunks: [0] }]), '/0/then/chunks/0', 'from 1 up'],
      [
        rules([undefined, { usage: { output: 1, reasoning: 2 } }]),
        '/0/then/usage',
        'cannot be less',
      ],
      [rules([undefined, { 'a/b': 1 }]), '/0/then/a~1b', 'unknown'],
      [rules([undefined, JSON.parse('{"__proto__": 1}')]), '/0/then/__proto__', 'unknown'],
    ]
    for (const [script, pointer, message] of faults) {
      it(`is refused with a pointer to ${pointer || 'the script'}`, async () => {
        const error = await errorOf(ask('Go', configOf({ script })))
        expect(error).to.include({
          code: 'SETTINGS_INVALID',
          pointer: `/settings/scripted/script${pointer}`,
          plugin: 'scripted',
        })
        expect(error.message).to.include(message)
      })
    }
  })

  describe('in a file', () => {
    let folder: string
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'scripted-'))
    })
    afterEach(() => rm(folder, { recursive: true }))

    async function askWith(content: string | undefined) {
      const path = join(folder, 'script.json')
      if (content !== undefined) await writeFile(path, content)
      return ask(
        'Go',
        configOf({ script_file: path, script: rules([{ text: 'come' }, { text: 'own' }]) }),
      )
    }

    it('comes after the script of the config', async () => {
      const script = rules([{ text: 'o' }, { text: 'filed' }])
      expect((await askWith(JSON.stringify(script))).text).to.equal('filed')
    })

    const faults: readonly [what: string, content: string | undefined, message: string][] = [
      ['is not there', undefined, 'cannot be read (ENOENT)'],
      ['is no JSON', '[', 'is not JSON'],
      ['is not a script', '[{"then": {"text": 1}}]', '"/0/then/text"'],
      ['is too large', `"${'a'.repeat(1024 * 1024)}"`, 'larger than 1 MB'],
    ]
    for (const [what, content, message] of faults) {
      it(`is refused where it ${what}`, async () => {
        const error = await errorOf(askWith(content))
        expect(error).to.include({
          code: 'SETTINGS_INVALID',
          pointer: '/settings/scripted/script_file',
        })
        expect(error.message).to.include(message)
      })
    }

    it('is refused where it is a folder', async () => {
      const error = await errorOf(ask('Go', configOf({ script_file: folder })))
      expect(error.message).to.include('cannot be read (EISDIR)')
    })
  })
})
