import { expect } from 'chai'
import fc from 'fast-check'
import { type Check, compileSchema } from '../../../features/structured-output/compile-schema.ts'
import { findJson } from '../../../features/structured-output/find-json.ts'
import { outputOf } from '../../../features/structured-output/index.ts'
import { readAnswer } from '../../../features/structured-output/read-answer.ts'
import { textOf } from '../../../src/core/index.ts'
import { json } from '../../helpers/arbitraries.ts'
import { propertyRuns } from '../../helpers/cases.ts'
import { answered, formatOf, said } from './asking.ts'

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** Objects and lists, which text around them does not hide. */
const value = json.filter((of) => typeof of === 'object' && of !== null) as fc.Arbitrary<Json>

/** A schema that this value matches, and no other. */
function schemaOf(of: Json): object {
  if (Array.isArray(of)) {
    const items = of.length > 0 ? { prefixItems: of.map(schemaOf), items: false } : { maxItems: 0 }
    return { type: 'array', minItems: of.length, ...items }
  }
  if (typeof of !== 'object' || of === null) return { const: of }
  const properties = Object.fromEntries(
    Object.entries(of).map(([key, own]) => [key, schemaOf(own)]),
  )
  return { type: 'object', properties, required: Object.keys(of), additionalProperties: false }
}

/** Other values: something is changed, added or taken away, anywhere in it. */
function changesOf(of: Json): Json[] {
  if (Array.isArray(of)) {
    const inner = of.flatMap((item, at) => changesOf(item).map((other) => of.with(at, other)))
    return [...inner, [...of, null], ...(of.length > 0 ? [of.slice(1)] : [])]
  }
  if (typeof of !== 'object' || of === null) return [{ was: of }]
  const keys = Object.keys(of)
  const inner = keys.flatMap((key) =>
    changesOf(of[key] as Json).map((other) => ({ ...of, [key]: other })),
  )
  const without = keys.map((key) =>
    Object.fromEntries(Object.entries(of).filter(([own]) => own !== key)),
  )
  return [...inner, ...without, { ...of, [`${keys.join('')}more`]: 1 }]
}

const words = fc.stringMatching(/^[a-zA-Z .,:;!?'"\n-]{0,30}$/)
const written = fc.constantFrom(undefined, 1, '\t')

/** Ways to put JSON into an answer, as models do. */
const wrapping: fc.Arbitrary<(text: string) => string> = fc
  .tuple(words, words, fc.constantFrom('```', '```json', '~~~~JSON '))
  .chain(([before, after, fence]) =>
    fc.constantFrom(
      (text: string) => text,
      (text: string) => `\uFEFF\n${text}\n`,
      (text: string) => `${before}\n${text}${after}`,
      (text: string) => `${before}\n${fence}\n${text}\n${/^[`~]+/.exec(fence)?.[0]}\n${after}`,
    ),
  )

describe('structured-output, whatever is said', () => {
  it('finds the value that matches, in words and fences', async () => {
    await fc.assert(
      fc.asyncProperty(value, wrapping, written, async (of, wrap, indent) => {
        const check = await compileSchema({ ...schemaOf(of) }, '/schema')
        const reading = readAnswer(wrap(JSON.stringify(of, undefined, indent)), check)
        expect(reading).to.have.property('json').that.has.property('value').that.deep.equals(of)
      }),
      { numRuns: propertyRuns(150, 15) },
    )
  })

  it('takes no other value for it', async () => {
    await fc.assert(
      fc.asyncProperty(value, wrapping, fc.nat(), async (of, wrap, pick) => {
        const changes = changesOf(of)
        const other = changes[pick % changes.length] as Json
        const check = await compileSchema({ ...schemaOf(of) }, '/schema')
        expect(readAnswer(wrap(JSON.stringify(other)), check)).to.have.property('faults')
      }),
      { numRuns: propertyRuns(150, 15) },
    )
  })

  const anything = fc
    .array(
      fc.oneof(
        fc.string({ maxLength: 5 }),
        json.map((of) => JSON.stringify(of)),
        fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '\\', '```', '```json\n', '\n'),
      ),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.join(''))

  it('finds nothing that is not JSON, and nothing that the text does not have', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const finding = findJson(text)
        for (const piece of 'found' in finding ? finding.found : []) {
          expect(JSON.parse(piece.text)).to.deep.equal(piece.value)
          expect(text.replaceAll('\r\n', '\n')).to.include(piece.text)
        }
      }),
      { numRuns: propertyRuns(1000, 20) },
    )
  })

  it('CL-42 ends in the same in send and stream, and an answer that was read is read again', async () => {
    await fc.assert(
      fc.asyncProperty(anything, async (text) => {
        const { messages, error } = await answered({ events: said(text), format: formatOf({}) })
        if (error) {
          expect(error).to.include({ code: 'OUTPUT_INVALID' })
          return
        }
        const accept: Check = () => []
        const again = readAnswer(messages.map(textOf).join(''), accept)
        expect(again).to.have.property('json').that.has.property('value')
        expect(again).to.have.nested.property('json.value').that.deep.equals(outputOf(messages))
      }),
      { numRuns: propertyRuns(100, 10) },
    )
  })
})
