import { expect } from 'chai'
import anthropic from '../../providers/anthropic/index.ts'
import openai from '../../providers/openai/index.ts'
import { streamText } from '../../scripts/replay/envelope.ts'
import { ReplayServer } from '../../scripts/replay/replay-server.ts'
import { streamReply } from '../../scripts/replay/replies.ts'
import { createHost, type Host } from '../../src/core/index.ts'
import { EventChecker } from '../../src/plugin/events/index.ts'
import { schema, tool } from '../helpers/plugins.ts'
import { type RecordedRun, recordedRun } from './recorded-run.ts'

const BLOCK = { type: 'compaction', content: 'They looked around. 😀', encrypted_content: 'a+/=' }
const CALL = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }
const COMPACTING = { context_management: { edits: [{ type: 'compact_20260112' }] } }
const LONG = 'word '.repeat(4000)

/** The events with which the API streams an answer that has these blocks. */
function streamOf(blocks: readonly object[], stop: string): readonly string[] {
  const usage = { input_tokens: 90_000, output_tokens: 5 }
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    usage,
  }
  const all = [
    { type: 'message_start', message },
    ...blocks.flatMap((block, index) => pieces(block, index)),
    { type: 'message_delta', delta: { stop_reason: stop }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ]
  return all.map((event) => JSON.stringify(event))
}

/** The events with which the Responses API streams an answer that has these items. */
function responseOf(output: readonly object[]): readonly string[] {
  const usage = { input_tokens: 90_000, output_tokens: 5, total_tokens: 90_005 }
  const response = { id: 'resp_1', object: 'response', model: 'm', status: 'in_progress' }
  const all = [
    { type: 'response.created', response: { ...response, output: [] } },
    ...output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item },
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: 'response.completed', response: { ...response, status: 'completed', output, usage } },
  ]
  return all.map((event) => JSON.stringify(event))
}

/** A compaction arrives empty, and then in one delta. */
function pieces(block: object, index: number): readonly object[] {
  const start = (content_block: object) => ({ type: 'content_block_start', index, content_block })
  const stop = { type: 'content_block_stop', index }
  if (block !== BLOCK) return [start(block), stop]
  const { type, ...delta } = BLOCK
  const grown = { type: 'compaction_delta', ...delta }
  return [start({ type }), { type: 'content_block_delta', index, delta: grown }, stop]
}

describe('compactions by a model API itself', () => {
  let server: ReplayServer
  let host: Host
  before(async () => {
    server = await new ReplayServer().start()
    const look = tool('looks', {
      getToolSchemas: () => [schema('look', { safety: { is_read_only: true } })],
      executeTool: () => LONG,
    })
    host = await createHost({ plugins: [anthropic, openai, look] })
  })
  after(async () => {
    await host.close()
    await server.close()
  })

  /** A run of two steps. The API compacts before its first answer. */
  async function ran(settings: object): Promise<RecordedRun> {
    server.requests.length = 0
    const answers = [
      streamOf([BLOCK, CALL], 'tool_use'),
      streamOf([{ type: 'text', text: 'Done.' }], 'end_turn'),
    ]
    server.reply = () => {
      const answer = answers[server.requests.length - 1] ?? expect.fail('one request too many')
      return streamReply(streamText('messages', answer))
    }
    const own = { api_key: 'sk-ant-test-0123456789', base_url: server.url, max_retries: 0 }
    const config = {
      provider: 'anthropic',
      model: 'm',
      settings: { anthropic: { ...own, ...settings } },
    }
    const agent = { id: 'a', context_policy: { autocompact_threshold: 1000 } }
    return recordedRun(host, { config, agent })
  }

  it('CT-20 are left to it, and their block is sent back as it came', async () => {
    const { result } = await ran(COMPACTING)
    expect(result, String(result.error?.message)).to.include({ status: 'done', steps: 2 })
    expect(server.requests).to.have.length(2)
    const [first, second] = server.requests.map(({ body }) => body)
    expect(first).to.deep.include(COMPACTING)
    const messages = second?.['messages'] as readonly { readonly content: unknown }[]
    expect(messages[1]?.content).to.deep.equal([BLOCK, CALL])
    expect(result.compactions).to.equal(undefined)
  })

  it('LR-07 are told, with the beginning of what they say', async () => {
    const { events, run } = await ran(COMPACTING)
    const checker = new EventChecker('run')
    for (const event of events) checker.check(event)
    const [start, end, ...more] = events.filter(({ type }) => type.startsWith('compaction'))
    expect(more).to.deep.equal([])
    expect(start).to.include({ type: 'compaction-start', trigger: 'provider' })
    const done = { preview: BLOCK.content, runIds: [run.id] }
    expect(end).to.deep.include({ type: 'compaction-end', done })
  })

  it('LR-07 are not told where the API is not asked for them', async () => {
    const { events, result } = await ran({})
    expect(result).to.include({ status: 'done' })
    expect(events.filter(({ type }) => type.startsWith('compaction'))).to.deep.equal([])
  })

  it('CT-20 show by a tag of the provider that they are', async () => {
    const tagsOf = async (context_management: object) => {
      const settings = { anthropic: { api_key: 'sk-ant-test-0123456789', context_management } }
      using opened = await host.open({ provider: 'anthropic', model: 'm', settings })
      return opened.resolved.tags.has('own-compaction')
    }
    expect(await tagsOf(COMPACTING.context_management)).to.equal(true)
    expect(await tagsOf({ edits: [{ type: 'clear_tool_uses_20250919' }] })).to.equal(false)
    expect(await tagsOf({ edits: 'compact_20260112' })).to.equal(false)
  })

  describe('in the Responses API', () => {
    const COMPACTED = { id: 'cmp_1', type: 'compaction', encrypted_content: 'a+/=' }
    const LOOK = {
      id: 'fc_1',
      type: 'function_call',
      call_id: 'call_1',
      name: 'look',
      arguments: '{}',
      status: 'completed',
    }
    const SAID = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
    }
    const context_management = [{ type: 'compaction', compact_threshold: 1000 }]

    it('CT-20 LR-07 are left to it, told, and their item is sent back as it came', async () => {
      server.requests.length = 0
      const answers = [responseOf([COMPACTED, LOOK]), responseOf([SAID])]
      server.reply = () => {
        const answer = answers[server.requests.length - 1] ?? expect.fail('one request too many')
        return streamReply(streamText('responses', answer))
      }
      const own = { api_key: 'sk-test-0123456789', base_url: server.url, max_retries: 0 }
      const config = {
        provider: 'openai',
        model: 'm',
        settings: { openai: { ...own, context_management } },
      }
      const agent = { id: 'a', context_policy: { autocompact_threshold: 1000 } }
      const { events, run, result } = await recordedRun(host, { config, agent })

      expect(result, String(result.error?.message)).to.include({ status: 'done', steps: 2 })
      const [first, second] = server.requests.map(({ body }) => body)
      expect(first).to.deep.include({ context_management })
      expect(second?.['input']).to.deep.include.members([COMPACTED, LOOK])
      const [start, end] = events.filter(({ type }) => type.startsWith('compaction'))
      expect(start).to.include({ type: 'compaction-start', trigger: 'provider' })
      expect(end).to.deep.include({ done: { preview: '', runIds: [run.id] } })
    })
  })
})
