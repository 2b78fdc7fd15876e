import { expect } from 'chai'
import instructions from '../../../features/instructions/index.ts'
import { type Fact, idFor } from '../../../features/memory/facts.ts'
import memory, { memoryTools } from '../../../features/memory/index.ts'
import { createAnthropic } from '../../../providers/anthropic/index.ts'
import { createOpenAI } from '../../../providers/openai/index.ts'
import { createOpenAICompatible } from '../../../providers/openai-compatible/index.ts'
import scripted from '../../../providers/scripted/index.ts'
import { run } from '../../../src/agent/index.ts'
import type { ConfigLayer } from '../../../src/core/config/layers.ts'
import { createHost, type Host, type Message } from '../../../src/core/index.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { conversation, shownIn, textsIn, user } from './conversation.ts'

const NAME = 'The user is called Ada.'

interface Told {
  readonly host: Host
  /** The messages of each request, as the provider was given them. */
  readonly told: readonly (readonly Message[])[]
}

/** A host of the scripted provider and memory. */
async function hostWith(script: readonly object[] = [], more: ConfigLayer = {}): Promise<Told> {
  const told: (readonly Message[])[] = []
  const provider = {
    ...scripted,
    toNative: (messages: readonly Message[], ...rest: [never, never]) => {
      told.push(messages)
      return scripted.toNative(messages, ...rest)
    },
  }
  const config = {
    enabled_plugins: ['memory', 'instructions'],
    ...more,
    settings: { scripted: { script, delay_ms: 0 }, ...more.settings },
  }
  return { host: await createHost({ plugins: [provider, memory, instructions], config }), told }
}

async function remember(host: Host, text: string, conversationId = 'c'): Promise<Fact> {
  return (await host.runAction('memory', 'remember', { text }, {}, { conversationId })) as Fact
}

describe('memory', () => {
  it('shows the facts of the conversation in send, stream and run, and stores none of it', async () => {
    const { host, told } = await hostWith()
    await remember(host, NAME)
    await remember(host, 'Another name.', 'd')
    const conversationId = 'c'
    const sent = await host.send({}, 'Hello', { conversationId })
    const streamed = await host.stream({}, 'Hello', { conversationId }).result
    const ran = await run(host, { messages: 'Hello', conversationId }).result
    expect(told.map(textsIn)).to.deep.equal([[NAME], [NAME], [NAME]])
    for (const { messages, warnings } of [sent, streamed, ran]) {
      expect(JSON.stringify(messages)).to.not.include('<memory>')
      expect(warnings).to.deep.equal([])
    }
    await host.close()
  })

  it('changes nothing where nothing is kept', async () => {
    const { ask, warnings } = conversation()
    expect(await ask([user('Hello')])).to.deep.equal([user('Hello')])
    expect(warnings).to.deep.equal([])
  })

  it('is off until it is asked for', async () => {
    const { host, told } = await hostWith([], { enabled_plugins: [] })
    expect(await errorOf(remember(host, NAME))).to.include({ code: 'PLUGIN_OFF' })
    await host.send({}, 'Hello', { conversationId: 'c' })
    expect(told[0]).to.have.length(1)
    await host.close()
  })

  it('says that it shows nothing without a conversation', async () => {
    const { host, told } = await hostWith()
    const { warnings } = await host.send({}, 'Hello')
    expect(warnings).to.deep.equal([
      'memory: no facts are shown: each conversation has its own facts, and the request has no "conversationId"',
    ])
    expect(told[0]).to.deep.equal([user('Hello')])
    await host.close()
  })

  it('goes behind instructions, in either order', async () => {
    const settings = { instructions: { text: 'Be brief.' } }
    for (const others of [
      [memory, instructions],
      [instructions, memory],
    ]) {
      const seen: string[] = []
      const provider = {
        ...scripted,
        toNative: ([first]: readonly Message[]) =>
          void seen.push(
            (first?.parts ?? []).map((part) => ('text' in part ? part.text : '')).join(''),
          ),
      }
      const config = { enabled_plugins: ['memory', 'instructions'], settings }
      const host = await createHost({ plugins: [provider, ...others], config })
      await remember(host, NAME)
      await host.send({}, 'Hello', { conversationId: 'c' }).catch(() => undefined)
      expect(seen[0]).to.match(/^Be brief\.\n\nFacts kept .*\n<memory>\n.*Ada.*\n<\/memory>$/)
      await host.close()
    }
  })

  it('shows by the question of the newest user message, in each step of a run the same', async () => {
    const settings = { memory: { max_characters: 100 } }
    const { ask, act } = conversation({ settings: settings.memory })
    for (const text of ['Tea is at four.', 'The cat is Mo.', 'Rent is due in May.']) {
      await act('remember', { text })
    }
    const call = { type: 'tool-call' as const, callId: '1', name: 'look', input: {} }
    const question = [user('When is tea?'), user('Who is the cat?')]
    const first = await ask(question)
    expect(textsIn(first)).to.deep.equal(['The cat is Mo.', 'Rent is due in May.'])
    const later = await ask([...question, { role: 'assistant', parts: [call] }])
    expect(later[0]).to.deep.equal(first[0])
    const long = await ask([user(`${'Well, '.repeat(2000)}when is tea?`)])
    expect(textsIn(long)).to.deep.equal(['The cat is Mo.', 'Rent is due in May.'])
  })

  it('warns of pinned facts that do not fit', async () => {
    const { ask, act, warnings } = conversation({ settings: { max_characters: 20 } })
    await act('remember', { text: NAME, pinned: true })
    expect(await ask()).to.deep.equal([user('Hello')])
    expect(warnings).to.have.length(1)
    expect(warnings[0]).to.include('not shown: 1;').and.include('max_characters')
  })

  it('refuses settings that are wrong before anything is sent', async () => {
    for (const [name, value] of Object.entries({ max_facts: 0, max_characters: '9', most: 1 })) {
      const { host, told } = await hostWith([], { settings: { memory: { [name]: value } } })
      const error = await errorOf(host.send({}, 'Hello', { conversationId: 'c' }))
      expect(error).to.include({ code: 'SETTINGS_INVALID', pointer: `/settings/memory/${name}` })
      expect(told).to.deep.equal([])
      await host.close()
    }
  })

  it('reaches every provider in its system prompt', async () => {
    const bodies: { readonly [key: string]: unknown }[] = []
    const fetch: typeof globalThis.fetch = async (_url, init) => {
      bodies.push(JSON.parse(String(init?.body)) as (typeof bodies)[number])
      const headers = { 'content-type': 'application/json' }
      return new Response('{"error": {"message": "no"}}', { status: 400, headers })
    }
    const at = { api_key: 'key-of-the-test', base_url: 'https://nowhere.test/v1' }
    const providers = [createOpenAI, createAnthropic, createOpenAICompatible]
    for (const [index, create] of providers.entries()) {
      const provider = create({ fetch })
      const settings = { [provider.name]: at }
      const config = { enabled_plugins: ['memory'], provider: provider.name, model: 'm', settings }
      const host = await createHost({ plugins: [provider, memory], config })
      await remember(host, NAME)
      const messages: readonly Message[] = [
        { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
        user('Hello'),
      ]
      await errorOf(host.send({}, messages, { conversationId: 'c' }))
      const { system, messages: sent, input } = bodies[index] ?? {}
      const [prompt] = [system ?? sent ?? input].flat() as readonly object[]
      const said = JSON.stringify(system ?? prompt)
      expect(said, provider.name).to.match(/Be brief\..*Facts kept .*<memory>.*Ada.*<\/memory>/s)
      await host.close()
    }
    expect(bodies).to.have.length(3)
  })
})

describe('the tools of memory', () => {
  const conversationId = 'c'

  function toolsOf(host: Host) {
    return memoryTools((id, input) => host.runAction('memory', id, input, {}, { conversationId }))
  }

  function calling(name: string, input: object, last = 'Done.') {
    return [
      { when: { tool: name }, then: { text: last } },
      { then: { tool_calls: [{ name, input }] } },
    ]
  }

  it('let the model keep a fact, which the next step is shown', async () => {
    const { host, told } = await hostWith(calling('remember_fact', { text: NAME }))
    const tools = toolsOf(host)
    const { status, messages } = await run(host, { messages: 'Hi', conversationId, tools }).result
    expect(status).to.equal('done')
    const [result] = messages[1]?.parts ?? []
    const fact = { id: idFor(NAME, []), text: NAME, pinned: false }
    expect(result).to.deep.include({ name: 'remember_fact', output: fact })
    expect(told.map(textsIn)).to.deep.equal([[], [NAME]])
    await host.close()
  })

  it('let it edit, forget and find by the ids that it is shown', async () => {
    const { host, told } = await hostWith()
    await remember(host, NAME)
    await host.send({}, 'Hi', { conversationId })
    const { id } = shownIn(told[0] ?? [])[0]!
    const [, edit, forget, find] = toolsOf(host)
    const edited = { id, text: 'The user is called Eve.', pinned: false }
    expect(await edit!.execute({ id, text: edited.text })).to.deep.equal(edited)
    expect(await find!.execute({ query: 'called' })).to.deep.equal([edited])
    expect(await forget!.execute({ id })).to.deep.equal(edited)
    expect(await find!.execute({ query: 'called' })).to.deep.equal([])
    await host.close()
  })

  it('tell the model what is wrong with a call', async () => {
    const faults: readonly (readonly [name: string, input: object, message: string])[] = [
      ['forget_fact', { id: 'x' }, 'This conversation has no fact "x"'],
      ['remember_fact', { text: ' ' }, 'at /text: it is empty'],
      ['remember_fact', { text: 'a', pinned: true }, 'not valid'],
      ['edit_fact', { id: 'x' }, 'not valid'],
    ]
    for (const [name, input, message] of faults) {
      const { host } = await hostWith(calling(name, input))
      const tools = toolsOf(host)
      const { messages } = await run(host, { messages: 'Hi', conversationId, tools }).result
      const [result] = messages[1]?.parts ?? []
      expect(result).to.include({ type: 'tool-result', isError: true })
      expect((result as { readonly output: string }).output).to.include(message)
      await host.close()
    }
  })

  it('say what is safe beside others', async () => {
    const { host } = await hostWith()
    const safe = toolsOf(host).filter(({ safety }) => safety?.is_concurrency_safe)
    expect(safe.map(({ name }) => name)).to.deep.equal(['find_facts'])
    await host.close()
  })
})
