import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { textOf } from '../../../src/plugin/index.ts'
import { ROOT } from '../../helpers/source-files.ts'
import { type Changes, callsIn, Example } from './example.ts'

const draft = (text: string, version: number) => ({
  tool_calls: [
    { name: 'team_write_review', input: { key: 'draft', value: text, version } },
    { name: 'team_broadcast_review', input: { prompt: 'Review the draft.' } },
  ],
})

describe('the examples of teams', () => {
  const open: Example[] = []
  afterEach(async () => {
    for (const example of open.splice(0)) await example.close()
  })

  async function opened(name: string, changes: Changes = {}): Promise<Example> {
    const example = await Example.open(name, changes)
    open.push(example)
    expect(await example.runtime.check()).to.deep.equal([])
    for (const { id } of example.runtime.agents) {
      expect((await example.runtime.resolve(id)).warnings).to.deep.equal([])
    }
    return example
  }

  async function ran(name: string, messages: string, changes: Changes = {}) {
    const result = await (await opened(name, changes)).result({ messages })
    const last = result.messages.at(-1)
    return { result, calls: callsIn(result), text: last ? textOf(last) : '' }
  }

  it('debate lets both sides speak twice, each after it has read the other', async () => {
    const { result, calls, text } = await ran('debate', 'The spare key belongs in the vase.')
    expect(result.termination).to.deep.equal({ reason: 'natural_end' })
    const done = (agent: string) => ({
      agent,
      status: 'done',
      text: 'I have written what I think.',
    })
    const both = [done('advocate'), done('opponent')]
    expect(
      calls.filter(({ name }) => name.includes('broadcast')).map(({ output }) => output),
    ).to.deep.equal([both, both])
    const [shared] = calls.flatMap(({ name, output }) =>
      name === 'team_read_debate' ? [output] : [],
    )
    expect(
      (shared as { key: string; version: number; agent: string }[]).map(
        ({ key, version, agent }) => [key, version, agent],
      ),
    ).to.deep.equal([
      ['advocate', 2, 'advocate'],
      ['motion', 1, 'debate'],
      ['opponent', 2, 'opponent'],
    ])
    expect(text).to.equal(
      [
        'The motion was: The spare key belongs in the vase.',
        'For it: A spare key saves the locksmith, and a vase is where nobody looks.',
        'Against it: A thief looks into every vase, so a spare key is one more key to lose.',
      ].join('\n'),
    )
  })

  it('plan-and-work gives each part to the member that can do it, and puts the work together', async () => {
    const { result, calls, text } = await ran('plan-and-work', 'A picnic for twelve.')
    expect(result.termination).to.deep.equal({ reason: 'natural_end' })
    const dispatched = calls.filter(({ name }) => name.includes('dispatch'))
    expect(dispatched.map(({ output }) => output)).to.deep.equal([
      { agent: 'counter', status: 'done', text: '12 * 7.5 = 90' },
      { agent: 'writer', status: 'done', text: 'The invitation is written.' },
    ])
    expect(text).to.equal('Come to our picnic on the meadow!\nIt costs 90.')
  })

  it('plan-and-work asks the writer for what nobody says it can do', async () => {
    const call = {
      name: 'team_dispatch_plan-and-work',
      input: { prompt: 'x', capability: 'songs' },
    }
    const script = [{ when: { step: 1 }, then: { tool_calls: [call] } }, { then: { text: 'over' } }]
    const config = { settings: { scripted: { script } } }
    const { calls } = await ran('plan-and-work', 'x', { specs: { 'plan-and-work': { config } } })
    expect(calls[0]?.output).to.include({ agent: 'writer', status: 'done' })
  })

  it('review writes until the reviewer approves, and answers with the draft', async () => {
    const { result, calls, text } = await ran('review', 'Where is the key?')
    expect(result.termination).to.deep.equal({ reason: 'natural_end' })
    const reviews = calls.flatMap(({ name, output }) =>
      name === 'team_broadcast_review' ? (output as { text: string }[]).map((one) => one.text) : [],
    )
    expect(reviews).to.deep.equal([
      'Rejected. Its longest sentence has 19 words; 12 are allowed.',
      'Approved. Its longest sentence has 7 words; 12 are allowed.',
    ])
    expect(text).to.equal('The key is in the blue vase. The vase is beside the clock.')
  })

  it('review ends once three drafts are rejected', async () => {
    const { result, calls } = await ran('review', 'Where is the key? Answer at length.')
    expect(result.termination).to.deep.include({ reason: 'behavior_requested' })
    expect(result.termination).to.have.property('detail').that.includes('has rejected 3 drafts')
    expect(calls.filter(({ name }) => name === 'team_broadcast_review')).to.have.length(3)
  })

  it('review does not count a reviewer that fails as one that rejects', async () => {
    const steps = [1, 2, 3, 4].map((step) => ({ when: { step }, then: draft('Short.', step - 1) }))
    const script = [...steps, { then: { text: 'I give up.' } }]
    const failing = [{ then: { fault: 'failed' } }]
    const { result, calls } = await ran('review', 'x', {
      specs: {
        review: { config: { settings: { scripted: { script } } } },
        reviewer: { config: { settings: { scripted: { script: failing } } } },
      },
    })
    expect(result.termination).to.deep.equal({ reason: 'natural_end' })
    const reviews = calls.filter(({ name }) => name === 'team_broadcast_review')
    expect(reviews).to.have.length(4)
    for (const { output } of reviews) expect(output).to.have.nested.property('[0].status', 'failed')
  })

  for (const [name, messages] of [
    ['debate', 'The spare key belongs in the vase.'],
    ['plan-and-work', 'A picnic for twelve.'],
    ['review', 'Where is the key?'],
  ] as const) {
    it(`${name} costs what the guide says`, async () => {
      let requests = 0
      const example = await opened(name)
      const { usage } = await example.result({ messages, onAnswer: () => void requests++ })
      const guide = await readFile(join(ROOT, 'docs', 'many-agents.md'), 'utf8')
      const row = guide
        .split('\n')
        .find((line) => line.startsWith(`| ${name.replaceAll('-', ' ')} |`))
      const told = row
        ?.split('|')
        .slice(-4, -1)
        .map((cell) => Number(cell.replace(',', '')))
      expect(told).to.deep.equal([requests, usage.input, usage.output])
    })
  }

  for (const [text, longest] of [
    ['One two three. One!', 3],
    ['Ä ö ü 1 2', 5],
    ['...', 0],
  ] as const) {
    it(`review measures ${JSON.stringify(text)}`, async () => {
      const { calls } = await ran('review', 'x', {
        specs: {
          review: {
            excluded_tools: [],
            config: {
              settings: {
                scripted: {
                  script: [
                    {
                      when: { step: 1 },
                      then: { tool_calls: [{ name: 'measure', input: { text } }] },
                    },
                    { then: { text: 'over' } },
                  ],
                },
              },
            },
          },
        },
      })
      expect(calls[0]?.output).to.include({ longest })
    })
  }
})
