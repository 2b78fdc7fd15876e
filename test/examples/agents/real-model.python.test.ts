import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { pluginPythonOf } from '../../../src/python/venvs/venvs.ts'
import { sampledByCommit } from '../../helpers/cases.ts'
import { pythonOf } from '../../helpers/python.ts'
import { ROOT } from '../../helpers/source-files.ts'
import { type Changes, callsIn, Example, endsIn } from './example.ts'

const SMOLLM = join(ROOT, 'providers', 'smollm')

/*
 * A model of 135 million parameters decides what is in the calls: it has to copy a title, a text or a number from the
 * message into the right argument. It cannot choose a tool (its README says so), so each test demands the tool, and the
 * run ends after its call. Without a temperature and with a seed, the same message has the same call. Of several
 * messages for one tool each commit tries another: the model has to be loaded for each.
 */
describe('the examples of agents, with a real model', function () {
  this.timeout(120_000)
  const open: Example[] = []

  before(async function () {
    const python = await pythonOf(this)
    try {
      await pluginPythonOf(SMOLLM, python)
    } catch (error) {
      process.stderr.write(`The examples are not tried with smollm: ${String(error)}\n`)
      this.skip()
    }
  })
  afterEach(async () => {
    for (const example of open.splice(0)) await example.close()
  })

  /** An example whose model has to call a tool, once in each run. */
  async function demanding(name: string, tool: string, changes: Changes = {}): Promise<Example> {
    const config = { provider: 'smollm', temperature: 0, seed: 1, max_output_tokens: 100 }
    const spec = { config: { tool_choice: { tool } }, max_rounds: 1 }
    const example = await Example.open(name, { plugins: [SMOLLM], config, spec, ...changes })
    expect((await example.host.resolve()).diagnostics).to.deep.equal([])
    open.push(example)
    return example
  }

  const NOTES = [
    ['shopping', 'buy milk'],
    ['key', 'in the blue vase'],
    ['garden', 'water the roses'],
  ] as const
  for (const [title, text] of sampledByCommit(NOTES, NOTES.length)) {
    it(`notes-keeper writes the note "${title}", whose title and text the model copies`, async () => {
      const example = await demanding('notes-keeper', 'write_note')
      const messages = `Write a note titled "${title}" with the text "${text}".`
      const { events, result } = await example.stream({ messages })
      expect(result.termination).to.deep.include({ reason: 'stopped', code: 'max_rounds' })
      expect(endsIn(events)).to.deep.equal(callsIn(result))
      const [call] = callsIn(result)
      expect(call).to.include({ name: 'write_note', class: undefined })
      const { title: chosen } = Object(call?.output) as { readonly title: string }
      expect(chosen.toLowerCase()).to.equal(title)
      const written = await example.text('notes', `${chosen}.md`)
      expect(written.toLowerCase()).to.include(text)
    })
  }

  it('notes-keeper finds notes by a word that the model takes from the question', async () => {
    const example = await demanding('notes-keeper', 'search_notes')
    await mkdir(example.at('notes'))
    await writeFile(example.at('notes', 'shopping.md'), 'Buy milk.\n')
    await writeFile(example.at('notes', 'key.md'), 'In the blue vase.\n')
    for (const [messages, title] of [
      ['Search my notes for milk.', 'shopping'],
      ['Search for the query "vase".', 'key'],
    ] as const) {
      const [call] = callsIn(await example.result({ messages }))
      expect(call?.output).to.have.nested.property('matches[0].title', title)
    }
  })

  it('debate asks both members, who answer with the same model', async () => {
    const silent = { config: { tool_choice: 'none' } } as const
    const leading = { config: { tool_choice: { tool: 'team_broadcast_debate' } }, max_rounds: 1 }
    const example = await demanding('debate', 'team_broadcast_debate', {
      config: { provider: 'smollm', temperature: 0, seed: 1, max_output_tokens: 60 },
      spec: {},
      specs: { debate: leading, advocate: silent, opponent: silent },
    })
    const messages = 'Ask both with the prompt "Is tea better than coffee?".'
    const { result, events } = await example.stream({ messages })
    expect(endsIn(events)).to.deep.equal(callsIn(result))
    const [call] = callsIn(result)
    expect(call).to.include({ name: 'team_broadcast_debate', class: undefined })
    const [asked] = result.messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-call' ? [part.input] : [])),
    )
    expect(Object(asked).prompt).to.match(/tea better than coffee/i)
    const told = call?.output as readonly { readonly [key: string]: string }[]
    expect(told.map(({ agent, status }) => [agent, status])).to.deep.equal([
      ['advocate', 'done'],
      ['opponent', 'done'],
    ])
    for (const { text = '' } of told) expect(text.trim()).to.not.equal('')
    expect(result.usage.output).to.be.above(20)
  })

  const ENTRIES = [
    ['rent', 700],
    ['coffee', 3],
  ] as const
  for (const [text, amount] of sampledByCommit(ENTRIES, ENTRIES.length)) {
    it(`python-clerk enters "${text}", whose text and amount the model copies`, async () => {
      const example = await demanding('python-clerk', 'add_entry')
      const messages = `Enter "${text}" with the amount ${amount}.`
      const { events, result } = await example.stream({ messages })
      expect(endsIn(events)).to.deep.equal(callsIn(result))
      const [, line = ''] = (await example.text('books', 'ledger.csv')).split(/\r?\n/)
      expect(line.toLowerCase()).to.match(
        new RegExp(`^\\d{4}-\\d\\d-\\d\\d,${text},${amount}\\.00$`),
      )
      expect(await example.text('books', 'runs.csv')).to.match(
        new RegExp(`,1,${amount}\\.00,stopped\\r?\\n$`),
      )
    })
  }
})
