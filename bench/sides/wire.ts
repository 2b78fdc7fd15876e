import { run } from '@braidwork/agent'
import { agUiEncoder } from '../../src/server/dist/wire/ag-ui/index.js'
import { anthropicMessagesEncoder } from '../../src/server/dist/wire/anthropic-messages/index.js'
import { chatCompletionEncoder } from '../../src/server/dist/wire/chat-completions/index.js'
import { responsesEncoder } from '../../src/server/dist/wire/responses/index.js'
import { uiMessageEncoder } from '../../src/server/dist/wire/ui-message-stream/index.js'
import type { Side } from '../measure.ts'
import { configFor, hostWith } from './own.ts'

const FACTS = {
  runId: 'run',
  messageId: 'message',
  agent: 'gpt-4.1',
  createdAt: 1_700_000_000_000,
  clientTools: new Set<string>(),
}

/** Every protocol's encoder, each for one answer. */
const ENCODERS = {
  'UI message stream': () => uiMessageEncoder(FACTS),
  'AG-UI': () => agUiEncoder(FACTS, { clientRunId: 'run' }),
  'chat completions': () => chatCompletionEncoder(FACTS, { includesUsage: true }),
  responses: () => responsesEncoder(FACTS, { about: {} }),
  'Anthropic messages': () => anthropicMessagesEncoder(FACTS),
}

/** Runs of chat completions, read as events, and as the bytes of each protocol. */
export async function wireSides(url: string): Promise<readonly Side[]> {
  const host = await hostWith(0)
  const config = configFor(url, 'chat')
  const bytes = new TextEncoder()
  const side = (what: string, encoderOf: () => { encode(event: never): string }): Side => ({
    what,
    run: async () => {
      const encoder = encoderOf()
      let size = 0
      for await (const event of run(host, { config, messages: 'Hello' })) {
        if (event.type === 'error') throw new Error(event.error.message)
        size += bytes.encode(encoder.encode(event as never)).length
      }
      return size
    },
  })
  return [
    side('braidwork, no encoder', () => ({ encode: () => '' })),
    ...Object.entries(ENCODERS).map(([name, of]) => side(`braidwork, ${name}`, of)),
  ]
}
