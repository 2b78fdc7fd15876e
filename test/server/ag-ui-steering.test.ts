import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../src/agent/storage/index.ts'
import { storageError } from '../../src/agent/storage/storage-error.ts'
import { textOf } from '../../src/plugin/events/index.ts'
import { expectAgreement } from '../agent/agreement/index.ts'
import { sampled } from '../helpers/cases.ts'
import type { Served } from './routes/served.ts'
import { serveWaiting } from './waiting-run.ts'

const GO = { id: 'u1', role: 'user', content: 'go' }
const BRIEF = { id: 'u2', role: 'user', content: 'Be brief.' }

interface Frame {
  readonly type: string
  readonly runId?: string
  readonly name?: string
  readonly messageId?: string
  readonly role?: string
  readonly delta?: string
}

const framesOf = (text: string): readonly Frame[] =>
  text
    .split('\n')
    .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as Frame] : []))

describe('an AG-UI client that steers', () => {
  let served: Served
  let storage: Storage
  let release: () => void
  let began: Promise<void>
  let onUsage = (): void => undefined
  let isFull: boolean
  beforeEach(async () => {
    const memory = memoryStorage()
    const usage = (owner: string) => {
      onUsage()
      return memory.usage(owner)
    }
    isFull = false
    const append: Storage['runs']['append'] = async (...args) => {
      const [, batches] = args
      const isSaid = batches.some(({ events }) => events.some(({ type }) => type === 'steering'))
      if (isFull && isSaid) throw storageError(new Error('full'), false)
      return memory.runs.append(...args)
    }
    // A run takes no more messages while its end is stored.
    const end: Storage['runs']['end'] = async (...args) => {
      for (let turns = 0; turns < 10; turns++) await turn()
      return memory.runs.end(...args)
    }
    const slow = { append, end }
    const runs = new Proxy(memory.runs, {
      get: (target, name: keyof Storage['runs']) =>
        name in slow ? slow[name as keyof typeof slow] : target[name].bind(target),
    })
    storage = { ...memory, usage, runs }
    ;({ served, began, release } = await serveWaiting(storage))
  })
  afterEach(() => served.close())

  const run = (runId: string, messages: readonly object[], steer?: boolean) =>
    served.fetch('/ag-ui', {
      body: {
        threadId: 'talk',
        runId,
        messages,
        tools: [],
        context: [],
        ...(steer === undefined ? {} : { forwardedProps: { steer } }),
      },
    })

  /** Resolves when the server has checked the next message for a run, and has given it to the run. */
  async function given(): Promise<void> {
    await new Promise<void>((resolve) => {
      onUsage = resolve
    })
    await turn()
  }

  /** The roles and texts of the conversation. */
  async function history() {
    const path = await storage.conversations.history('ada', 'talk')
    return path.flatMap((entry) =>
      entry.kind === 'message' ? [`${entry.message.role}: ${textOf(entry.message)}`] : [],
    )
  }

  it('CT-15 lets its message enter the active run, whose stream shows it in its place', async () => {
    const first = await run('r1', [GO])
    await began
    const isGiven = given()
    const steered = run('r2', [GO, BRIEF], true)
    await isGiven
    release()
    const answer = await steered
    expect(answer.status).to.equal(200)
    expect(answer.headers.get('x-run-id')).to.equal(first.headers.get('x-run-id'))
    const short = framesOf(await answer.text())
    expect(short.map(({ type }) => type)).to.deep.equal(['RUN_STARTED', 'CUSTOM', 'RUN_FINISHED'])
    expect(short.map(({ runId }) => runId)).to.deep.equal(['r2', undefined, 'r2'])
    const frames = framesOf(await first.text())
    const said = frames.findIndex(({ role, type }) => role === 'user' && type.endsWith('START'))
    expect(frames.slice(said - 1, said + 3).map(({ type }) => type)).to.deep.equal([
      'STEP_STARTED',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
    ])
    expect(frames[said]).to.include({ messageId: 'u2' })
    expect(frames[said + 1]).to.include({ delta: 'Be brief.' })
    expect(frames.at(-1)).to.include({ type: 'RUN_FINISHED', runId: 'r1' })
    expect(await history()).to.deep.equal([
      'user: go',
      'assistant: ',
      'tool: ',
      'user: Be brief.',
      'assistant: Done.',
    ])
    await expectAgreement(storage, async () => memoryStorage())
  })

  it('CT-15 lets a message enter once that is sent again, while the run goes on and after', async () => {
    const first = await run('r1', [GO])
    await began
    const twice = [run('r2', [GO, BRIEF], true), run('r3', [GO, BRIEF], true)]
    release()
    for (const answer of await Promise.all(twice)) {
      expect(framesOf(await answer.text()).at(-1)).to.include({ type: 'RUN_FINISHED' })
    }
    await first.text()
    const before = await history()
    const again = framesOf(await (await run('r4', [GO, BRIEF], true)).text())
    expect(again.at(-1)).to.include({ type: 'RUN_FINISHED', runId: 'r4' })
    expect(await history()).to.deep.equal(before)
    expect(before.filter((text) => text.includes('brief'))).to.have.length(1)
  })

  it('CT-15 is not told that a message has entered that cannot be stored', async () => {
    const first = await run('r1', [GO])
    await began
    const isGiven = given()
    const steered = run('r2', [GO, BRIEF], true)
    await isGiven
    isFull = true
    release()
    const answer = await steered
    expect(answer.status).to.equal(503)
    expect(await answer.text()).to.include('STORAGE_FAILED')
    await first.text()
  })

  it('is told that the conversation is busy where it does not ask to steer', async () => {
    const first = await run('r1', [GO])
    await began
    const refused = await run('r2', [GO, BRIEF], false)
    expect(refused.status).to.equal(409)
    expect(await refused.text()).to.include('CONVERSATION_BUSY')
    release()
    await first.text()
  })

  it('begins a run where none is active, and is refused where it sends files', async () => {
    const first = framesOf(await (await run('r0', [{ ...GO, content: 'Hello' }], true)).text())
    expect(first.some(({ delta }) => delta?.includes('Done'))).to.equal(true)
    const image = { type: 'image', source: { type: 'data', value: 'aGk=', mimeType: 'image/png' } }
    const active = await run('r1', [{ ...GO, id: 'u3' }])
    await began
    const file = { id: 'u4', role: 'user', content: [image] }
    const refused = await run('r2', [file], true)
    expect(refused.status).to.equal(400)
    expect(await refused.text()).to.include('can only have text')
    release()
    await active.text()
  })

  it('CT-15 loses no message and says none twice, whenever the run ends', async () => {
    for (const turns of sampled([...Array(40).keys()], 5)) {
      const id = `turn-${turns}`
      const ask = (runId: string, messages: readonly object[]) =>
        served.fetch('/ag-ui', {
          body: { threadId: id, runId, messages, forwardedProps: { steer: true } },
        })
      const hello = { ...GO, id: `${id}-1`, content: 'Hello' }
      const first = await ask('r1', [hello])
      for (let passed = 0; passed < turns; passed++) await turn()
      const second = await ask('r2', [hello, { ...BRIEF, id: `${id}-2` }])
      const frames = framesOf(await second.text())
      expect(frames.at(-1), id).to.include({ type: 'RUN_FINISHED', runId: 'r2' })
      await first.text()
      const path = await storage.conversations.history('ada', id)
      const roles = path.map((entry) => (entry.kind === 'message' ? entry.message.role : ''))
      expect(roles, id).to.deep.equal(['user', 'assistant', 'user', 'assistant'])
    }
    await expectAgreement(storage, async () => memoryStorage())
  })
})
