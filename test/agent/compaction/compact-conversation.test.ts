import { expect } from 'chai'
import fc from 'fast-check'
import {
  type AskModel,
  type CompactionOrder,
  compactConversation,
  compactionPolicyOf,
} from '../../../src/agent/compaction/index.ts'
import { systemEnvironment } from '../../../src/agent/environment.ts'
import { tokensIn } from '../../../src/agent/estimated-tokens.ts'
import { historyOfNodes, loadShownNodes } from '../../../src/agent/history/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { openCalls } from '../../../src/agent/settle-calls.ts'
import type { NewEntry, Storage } from '../../../src/agent/storage/index.ts'
import {
  FINISH_REASONS,
  type FinishReason,
  type Message,
  textOf,
} from '../../../src/plugin/events/index.ts'
import { propertyRuns } from '../../helpers/cases.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { codeOf } from '../../store/stored.ts'
import { ifNeedless, strayResults } from './expected.ts'

const OWNER = 'ada'
const TALK = 'talk'
const LONG = 'word '.repeat(1200)

const text = (role: Message['role'], of = LONG): Message => ({
  role,
  parts: [{ type: 'text', text: of }],
})

describe('compactConversation', () => {
  let storage: Storage
  let asked: string[]
  beforeEach(async () => {
    storage = memoryStorage()
    asked = []
    await storage.conversations.create({ id: TALK, owner: OWNER, agent: 'x', sender: OWNER }, 1)
  })

  const ended =
    (finishReason: FinishReason): AskModel =>
    async () => ({
      messages: [{ ...text('assistant', 'half'), metadata: { finishReason } }],
      usage: {},
    })
  const answering =
    (answer: string): AskModel =>
    async (_config, message) => {
      asked.push(textOf(message))
      return { messages: [text('assistant', answer)], usage: {} }
    }

  let count = 0
  const append = (messages: readonly Message[]) => {
    const entries = messages.map(
      (message): NewEntry => ({ id: `e${count++}`, kind: 'message', message }),
    )
    return storage.conversations.append(OWNER, TALK, { entries }, 1)
  }
  const stored = () => ({ storage, owner: OWNER, conversationId: TALK, createdAt: 1 })
  const shown = async () => historyOfNodes(await loadShownNodes(stored()))
  const compact = (ask: AskModel = answering('in short'), more: object = {}) =>
    compactConversation({
      ...stored(),
      environment: systemEnvironment,
      policy: compactionPolicyOf(),
      trigger: 'manual',
      ask,
      ...more,
    })

  const talk = [
    text('user', `first ${LONG}`),
    text('assistant'),
    text('user', 'go on'),
    text('assistant', 'ok'),
  ]

  it('CT-23 stores the archive, and then the marker that names it', async () => {
    await append(talk)
    const order: string[] = []
    const { files, conversations } = storage
    const watched: CompactionOrder['storage'] = {
      files: {
        has: (...args) => files.has(...args),
        put: (...args) => {
          order.push('archive')
          return files.put(...args)
        },
      },
      conversations: {
        above: (...args) => conversations.above(...args),
        append: (...args) => {
          order.push('marker')
          return conversations.append(...args)
        },
      },
    }
    const { marker, tokens } = await compact(undefined, { storage: watched })
    expect(order).to.deep.equal(['archive', 'marker'])
    expect(tokens.after).to.be.below(tokens.before)
    const archive = await storage.files.load(OWNER, marker.archive, TALK)
    const lines = Buffer.from(archive?.bytes ?? '')
      .toString()
      .trim()
      .split('\n')
    const messages = lines.map((line) => (JSON.parse(line) as { message: Message }).message)
    expect(messages.map(textOf)).to.deep.equal([`first ${LONG}`, LONG])
  })

  it('CT-23 stores no marker if the archive cannot be stored', async () => {
    await append(talk)
    const files = {
      has: async () => true,
      put: () => Promise.reject(new Error('full')),
    }
    const failing = { files, conversations: storage.conversations }
    const failed = await compact(undefined, { storage: failing }).catch((e: unknown) => String(e))
    expect(failed).to.include('full')
    expect((await shown()).map(textOf)).to.deep.equal(talk.map(textOf))
  })

  it('AW-43 shows the next request the summary, and all that came meanwhile', async () => {
    await append(talk)
    const ask: AskModel = async () => {
      await append([text('user', 'meanwhile'), text('assistant', 'noted')])
      return { messages: [text('assistant', 'in short')], usage: {} }
    }
    const { marker } = await compact(ask)
    const [summary, ...rest] = (await shown()).map(textOf)
    expect(summary).to.include('in short')
    expect(rest).to.deep.equal(['go on', 'ok', 'meanwhile', 'noted'])
    expect(marker).to.include({ trigger: 'manual', replaced: 2 })
  })

  it('AW-43 erases no entry', async () => {
    await append(talk)
    const before = await storage.conversations.entries(OWNER, TALK)
    await compact()
    const after = await storage.conversations.entries(OWNER, TALK)
    expect(after.slice(0, before.length)).to.deep.equal(before)
    expect(after).to.have.length(before.length + 1)
  })

  it('CT-25 compacts any number of times, a marker and an archive each', async () => {
    const archives = new Set<string>()
    for (let round = 0; round < 4; round++) {
      await append(talk)
      const { marker } = await compact(answering(`summary ${round}`))
      archives.add(marker.archive)
      expect(marker.replaced).to.equal(2 + 4 * round)
    }
    expect(archives.size).to.equal(4)
    for (const archive of archives) {
      expect(await storage.files.load(OWNER, archive, TALK)).to.not.equal(undefined)
    }
    expect(asked[1]).to.include('<previous_summary>\nsummary 0')
    expect((await shown()).filter(({ metadata }) => metadata?.['compaction'])).to.have.length(1)
  })

  const long = (said: string) => text('user', `${said} ${LONG}`)

  it('AW-43 replaces what a run was asked that compacted its own steps, once it is no more the latest', async () => {
    const archive = 'a'.repeat(64)
    await append([long('first'), text('assistant', 'step'), text('assistant', 'done')])
    const made = { kind: 'compaction', summary: 'the steps', archive, replaced: 4 } as const
    const marker = { ...made, id: 'm', keptFrom: `e${count - 1}`, asked: [long('first')] }
    await storage.conversations.append(OWNER, TALK, { entries: [marker] }, 1)
    expect((await shown()).map(textOf).slice(1)).to.deep.equal([`first ${LONG}`, 'done'])
    expect(await errorOf(compact())).to.include({
      code: 'COMPACTION_NEEDLESS',
      message:
        'Nothing can be compacted: the latest message of the user and what follows stay as they are, and before them there is too little.',
    })
    await append(talk.slice(2))
    const { marker: next } = await compact()
    expect(asked[0]).to.include('the steps').and.include('[user] first')
    expect(next).to.include({ replaced: 6 }).and.not.have.property('asked')
    expect((await shown()).map(textOf).slice(1)).to.deep.equal(['go on', 'ok'])
  })

  it('AW-43 keeps the latest of what a run was asked', async () => {
    const archive = 'a'.repeat(64)
    await append([text('assistant', 'done')])
    const made = { kind: 'compaction', summary: 'the steps', archive, replaced: 4 } as const
    const all = [long('one'), long('two'), text('user', 'three')]
    const marker = { ...made, id: 'm', keptFrom: `e${count - 1}`, asked: all }
    await storage.conversations.append(OWNER, TALK, { entries: [marker] }, 1)
    await compact()
    expect((await shown()).map(textOf).slice(1)).to.deep.equal(['three', 'done'])
  })

  it('CT-25 loses nothing where two processes compact at once', async () => {
    await append(talk)
    const both: { arrived: number; go: () => void } = { arrived: 0, go: () => undefined }
    const met = new Promise<void>((resolve) => {
      both.go = resolve
    })
    const meeting =
      (answer: string): AskModel =>
      async (...asking) => {
        if (++both.arrived === 2) both.go()
        await met
        return answering(answer)(...asking)
      }
    const done = await Promise.all([compact(meeting('first')), compact(meeting('second'))])
    expect(done.map(({ marker }) => marker.replaced)).to.deep.equal([2, 2])
    const [summary, ...rest] = (await shown()).map(textOf)
    expect(summary).to.match(/first|second/)
    expect(rest).to.deep.equal(['go on', 'ok'])
    await append(talk)
    const { marker } = await compact()
    expect(marker.replaced).to.equal(6)
  })

  it('CT-19 keeps the order of a conversation where the clock is set back', async () => {
    await append(talk)
    const environment = { ...systemEnvironment, now: () => -5 }
    await compact(undefined, { environment })
    await append([text('user', 'later')])
    const [summary, ...rest] = (await shown()).map(textOf)
    expect(summary).to.include('in short')
    expect(rest).to.deep.equal(['go on', 'ok', 'later'])
  })

  it('AW-43 keeps what came meanwhile after messages of which none is the user’s', async () => {
    await append([text('assistant'), text('assistant'), text('assistant')])
    const ask: AskModel = async (...asking) => {
      await append([text('user', 'meanwhile')])
      return answering('in short')(...asking)
    }
    await compact(ask, { policy: compactionPolicyOf({ raw_retention: 0 }) })
    expect((await shown()).map(textOf).slice(1)).to.deep.equal([LONG, 'meanwhile'])
  })

  it('CT-21 gives the model the messages as text, long results cut', async () => {
    const call: Message = {
      role: 'assistant',
      parts: [{ type: 'tool-call', callId: 'c', name: 'read', input: { path: 'a' } }],
    }
    const output = `${'x'.repeat(1999)}😀${'y'.repeat(5000)}`
    const result: Message = {
      role: 'tool',
      parts: [{ type: 'tool-result', callId: 'c', name: 'read', output }],
    }
    await append([text('user', 'read a'), call, result, text('assistant'), ...talk.slice(2)])
    await compact()
    expect(asked[0]).to.include('[user] read a')
    expect(asked[0]).to.include('[call] read({"path":"a"})')
    expect(asked[0]).to.include(`[result] read: ${'x'.repeat(1999)}… [5002 more characters]`)
  })

  it('CT-21 leaves the history as it was if the summary cannot be used', async () => {
    await append(talk)
    const call: Message = {
      role: 'assistant',
      parts: [{ type: 'tool-call', callId: 'c', name: 'read', input: {} }],
    }
    const calling: AskModel = async () => ({ messages: [text('assistant', 'hm'), call], usage: {} })
    const ends = ['stop', 'other']
    const unfinished = FINISH_REASONS.filter((reason) => !ends.includes(reason)).map(ended)
    for (const ask of [answering('  '), answering(LONG.repeat(3)), calling, ...unfinished]) {
      expect(await codeOf(compact(ask))).to.equal('COMPACTION_FAILED')
    }
    const tooLong = await compact(ended('content-filter')).catch((error: unknown) => error)
    expect(tooLong).to.have.property('message').that.includes('has filtered it')
    expect((await shown()).map(textOf)).to.deep.equal(talk.map(textOf))
  })

  it('takes the summary of a server that names no reason for its end', async () => {
    await append(talk)
    const { marker } = await compact(ended('other'))
    expect(marker.summary).to.equal('half')
  })

  it('says that there is nothing to replace', async () => {
    await append([text('user', 'hello'), text('assistant', 'hi')])
    expect(await codeOf(compact())).to.equal('COMPACTION_NEEDLESS')
    expect(asked).to.deep.equal([])
  })

  it('never splits calls from results, in any conversation, however often it is compacted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.nat(3), { maxLength: 12 }), { maxLength: 8 }),
        async (rounds) => {
          storage = memoryStorage()
          await storage.conversations.create(
            { id: TALK, owner: OWNER, agent: 'x', sender: OWNER },
            1,
          )
          for (const round of rounds) {
            await append(round.flatMap(turnOf))
            const before = tokensIn(await shown())
            const done = await compact().catch(ifNeedless)
            const history = await shown()
            expect(openCalls(history)).to.have.length(0)
            expect(strayResults(history)).to.deep.equal([])
            if (done) expect(tokensIn(history)).to.be.below(before)
          }
        },
      ),
      { numRuns: propertyRuns(60, 15) },
    )
  })
})

/** A turn of a conversation, with so many calls. */
function turnOf(calls: number): readonly Message[] {
  const ids = Array.from({ length: calls }, (_, at) => `${count()}.${at}`)
  const steps = ids.flatMap((callId): readonly Message[] => [
    { role: 'assistant', parts: [{ type: 'tool-call', callId, name: 't', input: {} }] },
    { role: 'tool', parts: [{ type: 'tool-result', callId, name: 't', output: LONG }] },
  ])
  return [text('user'), ...steps, text('assistant')]
}

let turns = 0
const count = () => turns++
