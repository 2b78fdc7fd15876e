import { run } from '../../../src/agent/index.ts'
import { endEventOf } from '../../../src/agent/tool-calls/index.ts'
import { failure } from '../../../src/core/host/tools/call-outcome.ts'
import type { Message, RunEvent, ToolCallPart } from '../../../src/plugin/events/index.ts'
import type { RunFacts } from '../../../src/server/wire/protocol.ts'
import { hashOf } from '../../core/results/stores.ts'
import { collect, scriptedHost } from '../../helpers/hosts.ts'
import { schema, tool } from '../../helpers/plugins.ts'

const LONG = 'a long way '.repeat(1000)

/** Where the large result of the run is stored. */
export const STORED = { hash: hashOf(LONG), mediaType: 'text/plain', size: LONG.length }

/** What a call states to have made, and on what its result rests. */
export const MADE = {
  artifacts: [{ uri: 'https://example.org/report', title: 'Report' }],
  evidence: ['https://example.org/source'],
}

/** The class of the error with which each call of the run ended; none for those that succeeded. */
export const CLASSES: { readonly [tool: string]: string | undefined } = {
  large: undefined,
  steps: undefined,
  made: undefined,
  broken: 'execution_failed',
  slow: 'timeout',
  secret: 'permission_denied',
  absent: 'unknown_tool',
  strict: 'invalid_arguments',
  left: 'outcome_unknown',
}

const tools = tool('tools', {
  getToolSchemas: () =>
    ['large', 'steps', 'made', 'broken', 'slow', 'secret', 'left']
      .map((name) => schema(name))
      .concat(schema('strict', { input_schema: { type: 'object', required: ['n'] } })),
  executeTool: ({ name }: ToolCallPart) => {
    if (name === 'large') return LONG
    if (name === 'steps') return steps()
    if (name === 'made') return { output: 'made', ...MADE }
    if (name === 'slow') return new Promise(() => undefined)
    throw new Error('It broke.')
  },
})

async function* steps() {
  yield { done: 1 }
  yield { done: 2 }
}

/** A run whose calls end in many ways: its events, and its messages. */
export async function callStates(): Promise<{
  readonly events: readonly RunEvent[]
  readonly messages: readonly Message[]
}> {
  const calls = Object.keys(CLASSES).map((name) => ({ name, input: {} }))
  const script = [{ when: { step: 1 }, then: { tool_calls: calls } }, { then: { text: 'Done.' } }]
  await using host = await scriptedHost([tools])
  const stream = run(host, {
    messages: 'go',
    config: {
      settings: { scripted: { script } },
      limits: { execute_tool: 0.05, tool_result_bytes: 1024 },
      tool_policy: { secret: 'deny' },
    },
  })
  const events = (await collect(stream)).map(asLeft)
  const { messages } = await stream.result
  const results = new Map(
    events.flatMap((one) => (one.type === 'tool-execution-end' ? [[one.callId, one.result]] : [])),
  )
  const told = messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) =>
      part.type === 'tool-result' ? (results.get(part.callId) ?? part) : part,
    ),
  }))
  const asTold = events.map((event) =>
    event.type === 'finish' ? { ...event, messages: told } : event,
  )
  return { events: asTold, messages: told }
}

/** A process that ended while the call "left" ran would have told its end so. */
function asLeft(event: RunEvent): RunEvent {
  if (event.type !== 'tool-execution-end' || event.result.name !== 'left') return event
  const { callId, runId, seq } = event
  const part: ToolCallPart = { type: 'tool-call', callId, name: 'left', input: {} }
  return { ...endEventOf(part, failure('outcome_unknown', 'Not known.')), runId, seq }
}

export const FACTS: RunFacts = {
  runId: 'run',
  messageId: 'm1',
  agent: 'published',
  createdAt: 1,
  clientTools: new Set(),
}
