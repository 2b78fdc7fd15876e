import { expect } from 'chai'
import fc from 'fast-check'
import promptCache from '../../../extensions/prompt-cache/index.ts'
import { markRequest } from '../../../extensions/prompt-cache/mark-request.ts'
import anthropic from '../../../providers/anthropic/index.ts'
import { type ConfigLayer, createHost, type Host, type Message } from '../../../src/core/index.ts'
import { conversation } from '../../helpers/arbitraries.ts'
import { bothWays, cuts, replayWith, textPart } from '../../helpers/both-ways.ts'
import { propertyRuns, propertyTimeout } from '../../helpers/cases.ts'
import { scriptedHost } from '../../helpers/hosts.ts'

const plugins = [promptCache]
const MARK = { type: 'ephemeral' } as const
const LOOK = {
  kind: 'tool',
  name: 'look',
  getToolSchemas: () => [schemaOf('look'), schemaOf('see')],
}

function schemaOf(name: string) {
  return { name, description: name, input_schema: { type: 'object' } }
}

function text(role: 'system' | 'user' | 'assistant', said: string): Message {
  return { role, parts: [{ type: 'text', text: said }] }
}

const TALK = [
  text('system', 'Be brief.'),
  text('user', 'One'),
  text('assistant', 'Two'),
  text('user', 'Three'),
]

function configOf(settings: object = {}, own: object = {}): ConfigLayer {
  return {
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    enabled_plugins: ['prompt-cache'],
    settings: {
      anthropic: { api_key: 'sk-ant-test-0123456789', ...settings },
      'prompt-cache': { ...own },
    },
  }
}

interface Block {
  readonly text?: string
  readonly name?: string
  readonly cache_control?: unknown
}

interface Native {
  readonly tools?: readonly Block[]
  readonly system?: readonly Block[]
  readonly messages: readonly { readonly content: readonly Block[] }[]
  readonly cache_control?: unknown
}

/** What is marked in a request, by name or text. */
function marksIn({ tools = [], system = [], messages }: Native): unknown[] {
  const blocks = [...tools, ...system, ...messages.flatMap(({ content }) => content)]
  return blocks.flatMap((block) => (block.cache_control ? [block.name ?? block.text] : []))
}

function withoutMarks(native: unknown): unknown {
  return JSON.parse(
    JSON.stringify(native, (key, value: unknown) => (key === 'cache_control' ? undefined : value)),
  )
}

describe('prompt-cache', () => {
  let host: Host
  before(async () => {
    host = await createHost({ plugins: [anthropic, LOOK, ...plugins] })
  })
  after(() => host.close())

  async function native(config: ConfigLayer, messages: readonly Message[] = TALK): Promise<Native> {
    return (await host.dryRun(config, messages)).native as Native
  }

  it('marks tools, system prompt, the last turn, and the user’s turn before it', async () => {
    const request = await native(configOf())
    expect(marksIn(request)).to.deep.equal(['see', 'Be brief.', 'One', 'Three'])
    expect(request.system?.at(-1)?.cache_control).to.deep.equal(MARK)
  })

  it('changes nothing else', async () => {
    const plain = await native({ ...configOf(), enabled_plugins: [] })
    expect(withoutMarks(await native(configOf()))).to.deep.equal(plain)
  })

  it('marks for an hour where the settings say so', async () => {
    const { system } = await native(configOf({}, { ttl: '1h' }))
    expect(system?.at(-1)?.cache_control).to.deep.equal({ type: 'ephemeral', ttl: '1h' })
  })

  it('leaves requests alone that are marked already', async () => {
    for (const settings of [{ prompt_cache: true }, { body: { cache_control: MARK } }]) {
      const request = await native(configOf(settings))
      expect(request.cache_control).to.deep.equal(MARK)
      expect(marksIn(request)).to.deep.equal([])
    }
    const own = { anthropic: { cache_control: MARK } }
    const marked: Message = {
      role: 'user',
      parts: [{ type: 'text', text: 'One', providerMetadata: own }],
    }
    expect(marksIn(await native(configOf(), [marked]))).to.deep.equal(['One'])
  })

  it('passes over what takes no mark', () => {
    const marked = markRequest(
      {
        tools: [
          { name: 'a', input_schema: {} },
          { name: 'b', input_schema: {}, defer_loading: true },
          { type: 'mcp_toolset', name: 'c' },
        ],
        system: '',
        messages: [
          { role: 'user', content: 'One' },
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'Two' },
              { type: 'thinking', thinking: 'x' },
            ],
          },
          { role: 'user', content: [{ type: 'text', text: '' }, { type: 'container_upload' }] },
        ],
      },
      MARK,
    )
    expect(marked['tools']).to.deep.equal([
      { name: 'a', input_schema: {}, cache_control: MARK },
      { name: 'b', input_schema: {}, defer_loading: true },
      { type: 'mcp_toolset', name: 'c' },
    ])
    expect(marked['system']).to.equal('')
    expect(marked['messages']).to.deep.equal([
      { role: 'user', content: [{ type: 'text', text: 'One', cache_control: MARK }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Two', cache_control: MARK },
          { type: 'thinking', thinking: 'x' },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: '' }, { type: 'container_upload' }] },
    ])
    expect(markRequest({ messages: [] }, MARK)).to.deep.equal({ messages: [] })
  })

  it('is off beside providers without the tags', async () => {
    const other = await scriptedHost(plugins, { enabled_plugins: ['prompt-cache'] })
    const { trace } = await other.resolve({})
    expect(trace.find(({ plugin }) => plugin === 'prompt-cache')).to.include({
      rule: 'missing tags',
    })
    await other.close()
  })

  it('has at most four marks in any conversation, and changes nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, async (messages) => {
        const asked = [...messages, text('user', 'Go on')]
        const request = await native(configOf(), asked)
        const plain = await native({ ...configOf(), enabled_plugins: [] }, asked)
        expect(marksIn(request).length).to.be.at.most(4)
        expect(withoutMarks(request)).to.deep.equal(withoutMarks(plain))
      }),
      { numRuns: propertyRuns(50, 10) },
    )
  })

  it('CL-42 leaves answers as they are, however they are cut', async () => {
    const provider = { tags: ['prompt-caching', 'messages'], toNative: () => ({ messages: [] }) }
    await fc.assert(
      fc.asyncProperty(cuts(fc.string({ minLength: 1 })), async (pieces) => {
        const { messages } = await bothWays({ events: textPart(pieces), plugins, provider })
        expect(messages[0]?.parts).to.deep.equal([{ type: 'text', text: pieces.join('') }])
      }),
      { numRuns: propertyRuns(30) },
    )
  })

  it('CL-42 leaves recorded answers as they are', async function () {
    this.timeout(propertyTimeout(60_000))
    const count = await replayWith(plugins, (messages, plain) =>
      expect(messages).to.deep.equal(plain),
    )
    if (this.test) this.test.title += ` (${count} recordings)`
  })
})
