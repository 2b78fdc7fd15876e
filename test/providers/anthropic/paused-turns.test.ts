import { expect } from 'chai'
import { createAnthropic } from '../../../providers/anthropic/index.ts'
import { streamText } from '../../../scripts/replay/envelope.ts'
import { run } from '../../../src/agent/index.ts'
import { createHost } from '../../../src/core/index.ts'
import { configFor, NOWHERE } from './asking.ts'

const CALL = {
  type: 'server_tool_use',
  id: 'srvtoolu_1',
  name: 'web_search',
  input: { query: 'x' },
}
const FOUND = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }
const SAID = { type: 'text', text: 'Done' }

describe('a turn that Anthropic pauses', () => {
  for (const reason of ['pause_turn', 'compaction']) {
    it(`is continued by a run, with everything so far (${reason})`, async () => {
      const bodies: { messages: object[] }[] = []
      const fetch: typeof globalThis.fetch = async (_input, init) => {
        bodies.push(JSON.parse(String(init?.body)))
        const message =
          bodies.length === 1
            ? { id: 'msg_1', content: [CALL], stop_reason: reason }
            : { id: 'msg_2', content: [FOUND, SAID], stop_reason: 'end_turn' }
        const events = [{ type: 'message_start', message }, { type: 'message_stop' }]
        const lines = events.map((event) => JSON.stringify(event))
        const headers = { 'content-type': 'text/event-stream' }
        return new Response(streamText('messages', lines), { headers })
      }
      await using host = await createHost({ plugins: [createAnthropic({ fetch })] })
      const config = configFor(NOWHERE, { hosted_tools: ['web_search'] })
      const result = await run(host, { config, messages: 'Hello' }).result
      expect(result).to.include({ status: 'done', finishReason: 'stop', steps: 2 })
      expect(bodies.map(({ messages }) => messages)).to.deep.equal([
        [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
        [
          { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
          { role: 'assistant', content: [CALL] },
        ],
      ])
      expect(result.messages.at(-1)?.parts.at(-1)).to.include({ text: 'Done' })
    })
  }
})
