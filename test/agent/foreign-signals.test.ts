import { expect } from 'chai'
import { run } from '../../src/agent/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import { createServer, LOCAL } from '../../src/server/index.ts'
import { foreignSignals } from '../helpers/foreign-signals.ts'
import { scriptedHost } from '../helpers/hosts.ts'
import { schema, tool } from '../helpers/plugins.ts'

const SCRIPT = [
  { when: { tool: 'wait' }, then: { text: 'Done.' } },
  {
    then: {
      tool_calls: [
        { name: 'wait', input: {} },
        { name: 'wait', input: {} },
      ],
    },
  },
]

describe('a host in a test environment with signals of its own', () => {
  let environment: Disposable
  beforeEach(() => {
    environment = foreignSignals()
  })
  afterEach(() => environment[Symbol.dispose]())

  const waiting = (executeTool: (signal: AbortSignal) => unknown) =>
    tool('wait', {
      getToolSchemas: () => [schema('wait')],
      executeTool: (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
        executeTool(signal),
    })

  it('runs calls of tools, also if one that fails cancels the others', async () => {
    const config = {
      on_sibling_failure: 'cancel' as const,
      settings: { scripted: { script: SCRIPT } },
    }
    await using host = await scriptedHost([waiting(() => 'waited')], config)
    const { finishReason, messages } = await run(host, { messages: 'Wait' }).result
    expect([finishReason, messages.length]).to.deep.equal(['stop', 3])
  })

  it('ends a run when the signal of the program aborts', async () => {
    const stop = new AbortController()
    const stopped = waiting(() => stop.abort('enough'))
    await using host = await scriptedHost([stopped], { settings: { scripted: { script: SCRIPT } } })
    const { status } = await run(host, { messages: 'Wait', signal: stop.signal }).result
    expect(status).to.equal('aborted')
  })

  it('is served', async () => {
    await using host = await scriptedHost()
    const server = await createServer({
      host,
      storage: memoryStorage(),
      anonymous: LOCAL,
      telemetry: {},
    })
    const response = await server.fetch(new Request('http://localhost/v1/models'))
    await server.close()
    expect(response.status).to.equal(200)
  })
})
