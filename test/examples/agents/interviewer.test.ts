import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { expect } from 'chai'
import { answerFault } from '../../../src/agent/index.ts'
import { type Answered, answered, type Said } from './answered.ts'
import { type Changes, callsIn, Example } from './example.ts'

const QUESTIONS = ['Where do you go?', 'How do you travel?', 'How many people travel?']

describe('the example interviewer', () => {
  const open: Example[] = []
  afterEach(async () => {
    for (const example of open.splice(0)) await example.close()
  })

  async function opened(changes: Changes = {}): Promise<Example> {
    const example = await Example.open('interviewer', changes)
    open.push(example)
    return example
  }

  async function recordsOf(example: Example): Promise<readonly unknown[]> {
    const names = await readdir(example.at('records')).catch(() => [])
    return Promise.all(names.map(async (name) => JSON.parse(await example.text('records', name))))
  }

  const say = (example: Example, ...values: readonly Said[]): Promise<Answered> =>
    answered(example, 'I travel.', (_, at) => values[at] ?? { approved: false })

  it('asks, and writes what the person answered when the run ends', async () => {
    const example = await opened()
    const ran = await say(example, { value: 'Lisbon' }, { value: 'train' }, { value: 3 })
    expect(ran.asked.map(({ input }) => Object(input).question)).to.deep.equal(QUESTIONS)
    expect(ran.asked.every(({ isQuestion }) => isQuestion)).to.equal(true)
    expect(callsIn(ran.result).map(({ output }) => output)).to.deep.equal([
      { answer: 'Lisbon' },
      { answer: 'train' },
      { answer: 3 },
    ])
    expect(await recordsOf(example)).to.deep.equal([
      {
        agent: 'interviewer',
        ended: 'natural_end',
        interview: [
          { question: 'Where do you go?', answer: 'Lisbon' },
          { question: 'How do you travel?', answer: 'train' },
          { question: 'How many people travel?', answer: 3 },
        ],
      },
    ])
  })

  it('writes nothing while a question is open, and keeps the answers between the legs', async () => {
    const example = await opened()
    const user = { role: 'user', parts: [{ type: 'text', text: 'I travel.' }] } as const
    const first = await example.result({ messages: [user] })
    expect(await recordsOf(example)).to.deep.equal([])
    const { approvals } = first.suspension!
    const verdicts = [{ approvalId: approvals[0]!.approvalId, approved: true, value: 'Oslo' }]
    const messages = [user, ...first.messages]
    const second = await example.result({ messages, resume: { ...first.suspension!, verdicts } })
    expect(second.suspension?.kept?.values).to.deep.equal({
      interview: [{ question: 'Where do you go?', answer: 'Oslo' }],
    })
    expect(await recordsOf(example)).to.deep.equal([])
  })

  it('takes no answer that has not the form of the question, and a program can know before', async () => {
    const example = await opened()
    const faults: (string | undefined)[] = []
    const values = [{ city: 'Rome' }, 'ship', 0]
    const ran = await answered(example, 'I travel.', async ({ input }, at) => {
      faults.push(await answerFault(input, values[at]))
      return { value: values[at] }
    })
    expect(ran.asked).to.have.length(3)
    expect(faults.map((fault) => typeof fault)).to.deep.equal(['string', 'string', 'string'])
    expect(callsIn(ran.result).map((call) => call.class)).to.deep.equal([
      'approval_rejected',
      'approval_rejected',
      'approval_rejected',
    ])
    const [record] = await recordsOf(example)
    for (const at of [0, 1, 2])
      expect(record).to.have.nested.property(`interview[${at}].unanswered`).that.includes('not fit')
  })

  it('records what was declined, and what nobody could be asked', async () => {
    const example = await opened()
    await say(example, { value: 'Oslo' }, { approved: false, reason: 'That is private.' })
    const [record] = await recordsOf(example)
    expect(record).to.have.nested.property('interview[0].answer', 'Oslo')
    expect(record).to.have.nested.property('interview[1].unanswered').that.includes('private')
    const alone = await opened()
    const { termination } = await alone.result({ canAsk: false })
    expect(termination).to.deep.equal({ reason: 'natural_end' })
    const [silent] = await recordsOf(alone)
    expect(silent).to.have.nested.property('interview').with.length(3)
    expect(silent).to.have.nested.property('interview[2].unanswered').that.is.a('string')
  })

  it('writes into its folder only, whatever the id of the run is', async () => {
    const example = await opened()
    await example.result({ canAsk: false, runId: '../../evil' })
    expect(await readdir(example.at('records'))).to.deep.equal(['______evil.json'])
  })

  it('writes one record for a run, none without questions, and tells a folder it cannot use', async () => {
    const script = [{ then: { text: 'Nothing to ask.' } }]
    const quiet = await opened({ script })
    await quiet.result()
    expect(await recordsOf(quiet)).to.deep.equal([])
    const blocked = await opened()
    await writeFile(blocked.at('records'), 'in the way')
    const { events } = await blocked.stream({ canAsk: false })
    const faults = events.filter(({ type }) => type === 'hook-fault')
    expect(faults).to.have.length(1)
    expect(faults[0]).to.include({ plugin: 'interview', key: 'write_record' })
    const twice = await opened()
    await mkdir(twice.at('records'))
    await Promise.all([twice.result({ canAsk: false }), twice.result({ canAsk: false })])
    expect(await recordsOf(twice)).to.have.length(2)
  })
})
