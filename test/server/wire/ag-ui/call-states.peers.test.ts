import { expect } from 'chai'
import { AG_UI_HEADERS, agUiEncoder } from '../../../../src/server/wire/ag-ui/index.ts'
import { needsPeer } from '../../../helpers/peer-scripts.ts'
import { ApiServer } from '../api-server.ts'
import { CLASSES, callStates, FACTS, MADE, STORED } from '../call-states.ts'
import { askClient, type ThreadSeen } from './ag-ui-clients.ts'

interface ToolMessage {
  readonly content?: string
  readonly metadata?: {
    readonly isError?: boolean
    readonly error?: { readonly class?: string }
    readonly references?: readonly unknown[]
  }
}

describe('calls of tools in the client of AG-UI', () => {
  let server: ApiServer
  let seen: ThreadSeen | undefined

  before(async function () {
    needsPeer(this, '@ag-ui/client')
    this.timeout(60_000)
    const { events } = await callStates()
    server = await new ApiServer(({ body }) => {
      const { runId, threadId } = body as { readonly runId: string; readonly threadId: string }
      const encoder = agUiEncoder({ ...FACTS, conversationId: threadId }, { clientRunId: runId })
      return { headers: AG_UI_HEADERS, pieces: events.map((event) => encoder.encode(event)) }
    }).start()
    const add = [{ id: 'u1', role: 'user', content: 'go' }]
    const job = { name: 'states', threadId: 't', url: server.url, runs: [{ add }] }
    seen = (await askClient([job])).get('states')
  })
  after(() => server?.close())

  /** The messages of results, by the names of their tools. */
  const results = (): ReadonlyMap<string, ToolMessage> => {
    const { messages = [] } = seen ?? {}
    const names = new Map(
      messages.flatMap(({ toolCalls = [] }) =>
        toolCalls.map((call) => [call.id, call.function.name]),
      ),
    )
    return new Map(
      messages
        .filter(({ role }) => role === 'tool')
        .map((message) => [names.get(message.toolCallId ?? '') ?? '', message as ToolMessage]),
    )
  }

  it('LT-05 have results with the class of their error as metadata', () => {
    const { faults, warnings, errors } = seen ?? {}
    expect({ faults, warnings, errors }).to.deep.equal({ faults: [], warnings: [], errors: [] })
    expect([...results().keys()]).to.have.members(Object.keys(CLASSES))
    for (const [name, expected] of Object.entries(CLASSES)) {
      const { metadata } = results().get(name) ?? {}
      expect(metadata?.isError, name).to.equal(expected ? true : undefined)
      expect(metadata?.error?.class, name).to.equal(expected)
    }
  })

  it('LT-09 have a preview as content, and the reference as metadata', () => {
    const large = results().get('large')
    expect(large?.metadata).to.deep.equal({ references: [STORED] })
    expect(large?.content).to.include('11000 bytes')
  })

  it('LR-04 have artifacts and evidence as metadata', () => {
    expect(results().get('made')?.metadata).to.deep.equal(MADE)
  })

  it('LR-04 show progress as an activity', () => {
    const activities = seen?.messages.filter(({ role }) => role === 'activity') ?? []
    expect(activities.map(({ content }) => content)).to.deep.include({
      toolCallId: 'call_2',
      progress: { done: 2 },
    })
  })
})
