import { expect } from 'chai'
import fc from 'fast-check'
import citations from '../../../extensions/citations/index.ts'
import guard from '../../../extensions/guard/index.ts'
import redact from '../../../extensions/redact/index.ts'
import smoothStream from '../../../extensions/smooth-stream/index.ts'
import thinkTags from '../../../extensions/think-tags/index.ts'
import usageCost from '../../../extensions/usage-cost/index.ts'
import instructions from '../../../features/instructions/index.ts'
import structuredOutput, { outputOf } from '../../../features/structured-output/index.ts'
import { type ConfigLayer, createHost, type Message, textOf } from '../../../src/core/index.ts'
import { cuts, textPart } from '../../helpers/both-ways.ts'
import { propertyRuns } from '../../helpers/cases.ts'
import { eventProvider } from '../../helpers/plugins.ts'
import { formatOf } from './asking.ts'

const OTHERS = [citations, guard, instructions, redact, smoothStream, thinkTags, usageCost]
const SCHEMA = {
  type: 'object',
  properties: { mail: { type: 'string', pattern: '^[a-z]+@example\\.org$' } },
  required: ['mail'],
  additionalProperties: false,
}
const config: ConfigLayer = {
  enabled_plugins: [...OTHERS, structuredOutput].map(({ name }) => name),
  response_format: formatOf(SCHEMA),
  settings: {
    guard: { rules: [{ name: 'curse', words: ['damn'], on: 'answer' }] },
    instructions: { text: 'The office is in Ulm.' },
  },
}
const SOURCE = { type: 'source', url: 'https://a.test/', citedText: 'mail' }

describe('structured-output and other plugins', () => {
  it('CL-42 come to the same value in send and stream, in any order, however the text is cut', async () => {
    const text = '<think>{"mail": 1}</think>\nHere:\n```json\n{"mail": "<EMAIL_1>"}\n```\n'
    const orders = fc.shuffledSubarray(OTHERS, { minLength: OTHERS.length })
    await fc.assert(
      fc.asyncProperty(cuts(fc.constant(text)), orders, async (pieces, others) => {
        let asked: readonly Message[] = []
        const provider = eventProvider([...textPart(pieces), SOURCE], {
          tags: ['text'],
          toNative: (messages: readonly Message[]) => {
            asked = messages
            return messages
          },
        })
        const host = await createHost({ plugins: [provider, ...others, structuredOutput], config })
        const question = 'Write to ada@example.org.'
        const sent = await host.send({}, question)
        const streamed = await host.stream({}, question).result
        await host.close()
        expect(streamed.messages).to.deep.equal(sent.messages)
        expect(outputOf(sent.messages)).to.deep.equal({ mail: 'ada@example.org' })
        expect(sent.messages.map(textOf)).to.deep.equal(['{"mail": "ada@example.org"}'])
        expect(JSON.stringify(asked)).not.to.include('ada@example.org')
        expect(asked[0]?.parts.map((part) => 'text' in part && part.text)).to.have.length(2)
      }),
      { numRuns: propertyRuns(30) },
    )
  })
})
