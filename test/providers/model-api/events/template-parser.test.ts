import { expect } from 'chai'
import fc from 'fast-check'
import { JsonTemplate } from '../../../../providers/model-api/events/json-template.ts'
import { TemplateParser } from '../../../../providers/model-api/events/template-parser.ts'
import { parseJson } from '../../../../providers/model-api/json.ts'
import { anyCharacter } from '../../../helpers/any-character.ts'
import { propertyRuns, sampled } from '../../../helpers/cases.ts'
import { hasShared, SHARED_IS_MISSING, sharedFiles } from '../../../helpers/recordings.ts'

/** Texts until a parser has surely made a template, whatever it was busy with. */
const MANY = 40

/** A value or an error as text: the order of keys counts. */
function outcome(parse: (text: string) => unknown, text: string): string {
  try {
    return JSON.stringify(parse(text))
  } catch (error) {
    return `throws ${(error as Error).name}: ${(error as Error).message}`
  }
}

function expectSame(parser: TemplateParser, text: string): void {
  const [own, plain] = [outcome((one) => parser.parse(one), text), outcome(parseJson, text)]
  // An assertion takes longer than both.
  if (own !== plain) expect(own).to.equal(plain)
}

/** A parser that knows texts of this form. */
function learned(textAt: (index: number) => string): TemplateParser {
  const parser = new TemplateParser()
  for (let index = 0; index < MANY; index++) parser.parse(textAt(index))
  return parser
}

/** The number of calls of `JSON.parse` in an action. */
function parsesIn(act: () => void): number {
  const { parse } = JSON
  let count = 0
  JSON.parse = (...given) => {
    count++
    return parse(...given)
  }
  try {
    act()
  } finally {
    JSON.parse = parse
  }
  return count
}

const chunk = (content: string, index = 7): string =>
  JSON.stringify({ id: 'c-1', index, choices: [{ delta: { content }, logprobs: null }], none: {} })

describe('the parser of events that look alike', () => {
  it('parses no text that fits a template, and copies its value', () => {
    const parser = learned((index) => chunk(`word ${index}`, index))
    const values: unknown[] = []
    const act = (): void => {
      for (const word of ['one', '', 'ümlaut', '12']) values.push(parser.parse(chunk(word)))
    }
    expect(parsesIn(act)).to.equal(0)
    expect(values).to.deep.equal(['one', '', 'ümlaut', '12'].map((word) => JSON.parse(chunk(word))))
  })

  it('parses only the string of a text that is long or has escapes', () => {
    const parser = learned((index) => chunk(`word ${index}`))
    for (const content of ['a line\n', 'say "no"', '\\', '\u0001', '😀', 'x'.repeat(5000)]) {
      let value: unknown
      const act = (): void => {
        value = parser.parse(chunk(content))
      }
      expect(parsesIn(act), content).to.be.at.most(1)
      expect(value).to.deep.equal(JSON.parse(chunk(content)))
    }
  })

  it('returns a new value each time, since a hook may change it', () => {
    const parser = learned((index) => chunk(`word ${index}`))
    const first = parser.parse(chunk('one')) as { choices: { delta: object }[]; none: object }
    Object.assign(first.choices[0]?.delta ?? {}, { content: 'changed', more: 1 })
    Object.assign(first.none, { more: 1 })
    first.choices.push({ delta: {} })
    expect(parser.parse(chunk('one'))).to.deep.equal(JSON.parse(chunk('one')))
  })

  it('learns four forms that take turns, and others after them', () => {
    const forms = ['a', 'b', 'c', 'd'].map((key) => (index: number) => `{"${key}":"${index}"}`)
    const parser = learned((index) => forms[index % 4]?.(index) ?? '')
    for (let index = 0; index < 5000; index++) parser.parse(forms[index % 4]?.(index) ?? '')
    expect(parsesIn(() => forms.map((form) => parser.parse(form(9999))))).to.equal(0)
    const other = (index: number): string => `{"e":${index}}`
    for (let index = 0; index < 1000; index++) parser.parse(other(index))
    expect(parsesIn(() => parser.parse(other(9999)))).to.equal(0)
  })

  it('widens a template: answers with other ids fit the one that was made of the first', () => {
    const textAt = (index: number): string =>
      JSON.stringify({ id: `answer ${index >> 5}`, text: String(index), index: 5 })
    const parser = learned(textAt)
    for (let index = MANY; index < 4000; index++) parser.parse(textAt(index))
    const next = JSON.stringify({ id: 'a new one', text: 'x', index: 5 })
    expect(parsesIn(() => parser.parse(next))).to.equal(0)
  })

  it('tries ever more rarely to learn texts of which no two look alike', () => {
    let attempts = 0
    const { of } = JsonTemplate
    JsonTemplate.of = (...texts) => {
      if (texts[0] === texts[1]) attempts++
      return of(...texts)
    }
    try {
      const parser = new TemplateParser()
      for (let index = 1; index <= 4096; index++) parser.parse(`[${'0,'.repeat(index % 997)}0]`)
    } finally {
      JsonTemplate.of = of
    }
    expect(attempts).to.be.within(5, 25)
  })

  describe('has the outcome of the plain parser', () => {
    it('for values of all kinds, written in all ways, with other strings and numbers in all places', () => {
      const leaf = fc.oneof(
        fc.string(),
        fc.string({ unit: anyCharacter }),
        fc.nat(),
        fc.double(),
        fc.constant(null),
      )
      const { tree } = fc.letrec((tie) => ({
        tree: fc.oneof(
          { maxDepth: 4 },
          fc.constant('LEAF'),
          fc.boolean(),
          fc.array(tie('tree'), { maxLength: 4 }),
          fc.dictionary(fc.string(), tie('tree'), { maxKeys: 4 }),
        ),
      }))
      const series = fc.tuple(tree, fc.array(leaf, { minLength: MANY, maxLength: MANY }), fc.nat(3))
      fc.assert(
        fc.property(series, ([form, leaves, indent]) => {
          const parser = new TemplateParser()
          for (const [at, value] of [...leaves, ...leaves].entries()) {
            let place = at
            const fill = (_key: string, member: unknown): unknown =>
              member === 'LEAF' ? (place++ % 3 === 0 ? value : 'same') : member
            expectSame(parser, JSON.stringify(form, fill, indent))
          }
        }),
        { numRuns: propertyRuns(300, 20) },
      )
    })

    it('for a text that is changed in one place', () => {
      const parser = learned((index) => chunk(`word ${index}`, index))
      const text = chunk('a "word" \\ \u00e9\n', 123_456)
      const others = [
        '"',
        '\\',
        '\n',
        '\t',
        '\u0000',
        '0',
        '9',
        '-',
        '.',
        'e',
        '{',
        '}',
        ',',
        ':',
        'é',
        '',
      ]
      for (let at = 0; at <= text.length; at++) {
        for (const other of others) {
          expectSame(parser, text.slice(0, at) + other + text.slice(at + 1))
          expectSame(parser, text.slice(0, at) + other + text.slice(at))
        }
        expectSame(parser, text.slice(0, at))
      }
    })

    const HOSTILE: readonly (readonly [what: string, textAt: (index: number) => string])[] = [
      ['a key that comes twice', (index) => `{"a":"${index}","a":"b"}`],
      ['a key that comes twice, and differs', (index) => `{"a":"${index}","a":"x${index}","b":1}`],
      ['marks of its own', (index) => `{"a":"${index}","b":"hole 0","c":723450000}`],
      ['marks in other spellings', (index) => `{"a":"${index}","b":"hole\\u00200","a":"c"}`],
      ['marks that change', (index) => `{"a":"hole ${index % 3}","b":"hole 0"}`],
      ['numbers that are marks', (index) => `[${723_450_000 + (index % 3)},723450000]`],
      ['a key that changes', (index) => `{"k${index}":"k${index}"}`],
      ['the key __proto__', (index) => `{"__proto__":{"x":"${index}"},"y":${index}}`],
      ['an escaped key __proto__', (index) => `{"_\\u005fproto__":{"x":"${index}"},"y":${index}}`],
      [
        'numbers that are too large',
        (index) => `{"x":"${index}","y":1e999,"z":${'9'.repeat(310)}}`,
      ],
      ['numbers with signs and exponents', (index) => `[${index},-${index},${index}.5,${index}e3]`],
      ['numbers with too many digits to be exact', (index) => `[9007199254740${index}993]`],
      ['numbers that no JSON has', (index) => `[${index > 30 ? '0' : ''}${index}]`],
      ['minus zero', (index) => `[${index > 30 ? '-0' : index}]`],
      ['more holes than a template has', (index) => `[${`${index},`.repeat(20)}1]`],
      ['deep nesting', (index) => `${'['.repeat(200)}"${index}"${']'.repeat(200)}`],
      ['only a string', (index) => `"${index}"`],
      ['only a number', (index) => String(index)],
    ]
    for (const [what, textAt] of HOSTILE) {
      it(`for ${what}`, () => {
        const parser = new TemplateParser()
        for (let index = 0; index < 4 * MANY; index++) expectSame(parser, textAt(index % MANY))
      })
    }

    it(`for the recordings of other people${hasShared ? '' : SHARED_IS_MISSING}`, function () {
      if (!hasShared) this.skip()
      const parser = new TemplateParser()
      const answers = sharedFiles().flatMap((file) => file.answers)
      const streams = answers.filter(({ mode }) => mode === 'stream')
      expect(streams).to.have.lengthOf.above(20)
      for (let round = 0; round < 3; round++) {
        for (const { text } of sampled(streams, 8)) {
          for (const line of text.split('\n')) expectSame(parser, line.replace(/^data: /, ''))
        }
      }
    })
  })
})
