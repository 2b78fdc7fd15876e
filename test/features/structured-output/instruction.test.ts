import { expect } from 'chai'
import fc from 'fast-check'
import instructions from '../../../features/instructions/index.ts'
import structuredOutput from '../../../features/structured-output/index.ts'
import { withInstruction } from '../../../features/structured-output/instruction.ts'
import { type ConfigLayer, createHost, type Message } from '../../../src/core/index.ts'
import type { ResponseFormat } from '../../../src/plugin/index.ts'
import { conversation } from '../../helpers/arbitraries.ts'
import { eventProvider } from '../../helpers/plugins.ts'
import { user } from '../../providers/scripted/ask.ts'
import { answered, CITY, configOf, formatOf, said } from './asking.ts'

const QUESTION = user('Where?')
const HELD = ['structured-output']

/** The messages as the provider is asked with them. */
async function asked(
  format: ResponseFormat,
  {
    tags = [],
    messages = [QUESTION],
    config = {},
  }: {
    tags?: readonly string[]
    messages?: readonly Message[]
    config?: ConfigLayer
  } = {},
): Promise<readonly Message[]> {
  const host = await createHost({
    plugins: [eventProvider([], { tags }), instructions, structuredOutput],
  })
  const { native } = await host.dryRun(configOf(format, config), messages)
  await host.close()
  return native as readonly Message[]
}

function system(...texts: string[]): Message {
  return { role: 'system', parts: texts.map((text) => ({ type: 'text', text })) }
}

const TOLD = `A program reads your final answer: one JSON value that matches this JSON Schema, with nothing before or after it, not even a code fence.\n${JSON.stringify(CITY)}`

describe('the instruction of structured-output', () => {
  it('tells the schema where the API does not hold the model to it', async () => {
    expect(await asked(formatOf(CITY))).to.deep.equal([system(TOLD), QUESTION])
    expect(await asked(formatOf(CITY), { tags: HELD })).to.deep.equal([QUESTION])
  })

  it('tells the name and the description too', async () => {
    const format = { ...formatOf(CITY), name: 'place', description: 'Where it is.' }
    const [message] = await asked(format)
    expect(message?.parts[0])
      .to.have.property('text')
      .that.includes('The value is place: Where it is.')
  })

  it('asks for an object where any will do, whatever the API does: some want the word in the messages', async () => {
    for (const tags of [[], HELD]) {
      const [message] = await asked({ type: 'json' }, { tags })
      expect(message?.parts[0]).to.have.property('text').that.includes('one JSON object')
    }
  })

  it('stands at the end of the system message that is there', async () => {
    expect(
      await asked(formatOf(CITY), {
        messages: [system('You are Ada.'), QUESTION, system('Be brief.')],
        config: {
          enabled_plugins: ['instructions', 'structured-output'],
          settings: { instructions: { text: 'The office is in Ulm.' } },
        },
      }),
    ).to.deep.equal([
      system('The office is in Ulm.\n\n', 'You are Ada.', `\n\n${TOLD}`),
      QUESTION,
      system('Be brief.'),
    ])
  })

  it('keeps any conversation behind it, and the second time changes nothing', () => {
    fc.assert(
      fc.property(conversation, fc.string({ minLength: 1 }), (messages, text) => {
        const once = withInstruction(messages, text)
        expect(once.slice(1)).to.deep.equal(messages)
        expect(withInstruction(once, text)).to.equal(once)
        const behind = withInstruction([system('You are Ada.'), ...messages], text)
        expect(withInstruction(behind, text)).to.equal(behind)
      }),
    )
  })

  it('is told of in a warning: a provider that leaves the format out says only that', async () => {
    const events = said('{"city": "Ulm"}')
    const { warnings } = await answered({ events, tags: [] })
    expect(warnings).to.have.length(1)
    expect(warnings[0]).to.include('is told the schema')
    expect((await answered({ events, tags: HELD })).warnings).to.deep.equal([])
  })
})
