import { expect } from 'chai'
import fc from 'fast-check'
import { parse, visit } from 'jsonc-parser'
import { editText } from '../../../src/cli/settings/edit-text.ts'
import { editConfig } from '../../../src/core/forms/index.ts'
import { propertyRuns } from '../../helpers/cases.ts'

const RUNS = propertyRuns(1_000, 20)
const OPTIONS = { allowTrailingComma: true }

function read(text: string): Record<string, unknown> {
  return parse(text, [], OPTIONS) as Record<string, unknown>
}

/** A text with the value that it has now made into another. */
function edited(text: string, after: object): string {
  return editText(text, read(text), after)
}

/** The comments of a text, in order. */
function commentsOf(text: string): string[] {
  const comments: string[] = []
  visit(text, {
    onComment: (offset, length) => void comments.push(text.slice(offset, offset + length)),
  })
  return comments
}

const COMMENTED = `{
  // the provider
  "provider": "openai", // asked by default
  "model":   "gpt-4.1" /* dated */ ,

  "settings": {
    "openai": { "api": "chat" }, // old
  },
}
`

describe('editText', () => {
  const cases: readonly [title: string, text: string, after: object, expected: string][] = [
    [
      'changes a value and nothing else',
      COMMENTED,
      { ...read(COMMENTED), model: 'gpt-5' },
      COMMENTED.replace('gpt-4.1', 'gpt-5'),
    ],
    [
      'adds a key behind the last one and its comment, with a comma where that is the way of the file',
      COMMENTED,
      { ...read(COMMENTED), seed: 1 },
      COMMENTED.replace('}, // old\n  },\n', '}, // old\n  },\n  "seed": 1,\n'),
    ],
    [
      'adds a key within a line',
      '{"a": {"b": 1 /* one */}}',
      { a: { b: 1, c: [1, 'x'] } },
      '{"a": {"b": 1, /* one */ "c": [1, "x"]}}',
    ],
    [
      'adds a key behind a line comment, and the comma before it',
      '{\n\t"a": 1 // one\n}',
      { a: 1, b: { c: 2 } },
      '{\n\t"a": 1, // one\n\t"b": {\n\t\t"c": 2\n\t}\n}',
    ],
    ['fills an empty object', '{}\n', { a: 1 }, '{\n  "a": 1\n}\n'],
    [
      'fills an empty object behind its comment',
      '{\n  // nothing yet\n}\n',
      { a: 1 },
      '{\n  // nothing yet\n  "a": 1\n}\n',
    ],
    [
      'removes a line, and leaves the comments around it',
      COMMENTED,
      { provider: 'openai', settings: { openai: { api: 'chat' } } },
      COMMENTED.replace('  "model":   "gpt-4.1" /* dated */ ,\n', '  /* dated */ \n'),
    ],
    [
      'removes the last key with the comma before it, not with the comment before it',
      '{\n  "a": 1, // one\n  "b": 2\n}\n',
      { a: 1 },
      '{\n  "a": 1 // one\n}\n',
    ],
    ['removes a key within a line', '{"a": 1, "b": 2, "c": 3}', { a: 1, c: 3 }, '{"a": 1, "c": 3}'],
    [
      'removes and appends items of a list one by one',
      '{"ids": [\n  "a", // first\n  "b", // second\n  "c" // third\n]}',
      { ids: ['a', 'c', 'd'] },
      '{"ids": [\n  "a", // first\n  // second\n  "c", // third\n  "d"\n]}',
    ],
    [
      'keeps line ends as they are',
      '{\r\n  "a": {}\r\n}\r\n',
      { a: { b: 1 } },
      '{\r\n  "a": {\r\n    "b": 1\r\n  }\r\n}\r\n',
    ],
    [
      'changes the one that counts of a key that stands twice, and removes both',
      '{"a": 1, "a": 2, "b": 3, "b": 4}',
      { a: 5 },
      '{"a": 1, "a": 5}',
    ],
  ]
  for (const [title, text, after, expected] of cases) {
    it(title, () => {
      expect(edited(text, after)).to.equal(expected)
    })
  }

  describe('of any file and any edit', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd e', 'é"\\')
    const leaf = fc.oneof(fc.integer(), fc.boolean(), fc.string({ maxLength: 6 }))
    const { value } = fc.letrec<{ value: unknown; object: object }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(leaf, { maxLength: 4 }),
        tie('object'),
      ),
      object: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    }))
    const config = fc.dictionary(key, value, { maxKeys: 5, noNullPrototype: true })
    const spaces = fc.infiniteStream(
      fc.constantFrom(
        '',
        ' ',
        '\n',
        '\n  ',
        '\t',
        '\r\n',
        '/**/',
        ' // remark\n',
        ' /* over\nlines */ ',
      ),
    )

    /** JSON with odd spaces and numbered comments wherever they may stand. */
    function written(value: unknown, space: () => string, isTrailing: boolean): string {
      const list = (items: readonly string[]): string =>
        items.map((item) => `${space()}${item}${space()}`).join(',') +
        (isTrailing && items.length > 0 ? `,${space()}` : space())
      if (Array.isArray(value))
        return `[${list(value.map((item) => written(item, space, isTrailing)))}]`
      if (typeof value !== 'object' || value === null) return JSON.stringify(value)
      const entries = Object.entries(value).map(
        ([name, inner]) =>
          `${JSON.stringify(name)}${space()}:${space()}${written(inner, space, isTrailing)}`,
      )
      return `{${list(entries)}}`
    }

    const file = fc.tuple(config, spaces, fc.boolean()).map(([before, stream, isTrailing]) => {
      let count = 0
      const space = (): string =>
        (stream.next().value ?? '')
          .replace('/**/', () => `/* ${count++} */`)
          .replace(/remark|over/, (word: string) => `${word} ${count++}`)
      return `${space()}${written(before, space, isTrailing)}${space()}`
    })

    it('says what the edit says, and keeps every comment that stands in no value that goes', () => {
      fc.assert(
        fc.property(file, config, (text, data) => {
          const before = read(text)
          const after = editConfig(before, { data: before }, data)
          const result = editText(text, before, after)
          expect(read(result)).to.deep.equal(JSON.parse(JSON.stringify(after)))
          const errors: unknown[] = []
          parse(result, errors as never, OPTIONS)
          expect(errors).to.deep.equal([])
          const kept = commentsOf(result)
          const outside = commentsOf(topOf(text, before))
          expect(kept.filter((comment) => outside.includes(comment))).to.deep.equal(outside)
        }),
        { numRuns: RUNS },
      )
    })

    it('leaves all other text as it is where one value changes', () => {
      fc.assert(
        fc.property(file, key, leaf, (text, name, next) => {
          const before = read(text)
          fc.pre(Object.hasOwn(before, name) && typeof before[name] !== 'object')
          const result = edited(text, { ...before, [name]: next })
          const [from, to] = valueSpan(text, name)
          expect(result.slice(0, from)).to.equal(text.slice(0, from))
          expect(result.slice(result.length - (text.length - to))).to.equal(text.slice(to))
          expect(edited(result, before)).to.equal(text)
        }),
        { numRuns: RUNS },
      )
    })

    it('gives the text back that it was given where nothing changes', () => {
      fc.assert(
        fc.property(file, (text) => {
          expect(edited(text, read(text))).to.equal(text)
        }),
      )
    })

    it('comes back to the value, and keeps the comments, where a key is added and removed', () => {
      fc.assert(
        fc.property(file, value, (text, added) => {
          const before = read(text)
          const more = edited(text, { ...before, added })
          expect(commentsOf(more)).to.deep.equal(commentsOf(text))
          const back = edited(more, before)
          expect(read(back)).to.deep.equal(before)
          expect(commentsOf(back)).to.deep.equal(commentsOf(text))
        }),
        { numRuns: RUNS },
      )
    })

    /** The text with each value of the top, and its comments, cut out. */
    function topOf(text: string, before: object): string {
      return Object.keys(before).reduceRight((whole, name) => {
        const [from, to] = entrySpan(whole, name)
        return `${whole.slice(0, from)}${JSON.stringify(name)}:0${whole.slice(to)}`
      }, text)
    }
  })
})

function valueSpan(text: string, name: string): readonly [number, number] {
  let span: readonly [number, number] = [0, 0]
  let isNext = false
  visit(text, {
    onObjectProperty: (property, _offset, _length, ...rest) => {
      const pathTo = rest[2] as () => readonly unknown[]
      isNext = property === name && pathTo().length === 0
    },
    onLiteralValue: (_value, offset, length) => {
      if (isNext) span = [offset, offset + length]
      isNext = false
    },
  })
  return span
}

/** From the key to the end of the value. */
function entrySpan(text: string, name: string): readonly [number, number] {
  let from = -1
  let to = -1
  let depth = 0
  const end = (offset: number, length: number): void => {
    if (from >= 0 && to < 0 && depth === 1) to = offset + length
  }
  visit(text, {
    onObjectBegin: () => void depth++,
    onArrayBegin: () => void depth++,
    onObjectEnd: (offset, length) => {
      depth--
      end(offset, length)
    },
    onArrayEnd: (offset, length) => {
      depth--
      end(offset, length)
    },
    onObjectProperty: (property, offset) => {
      if (depth === 1 && property === name && from < 0) from = offset
    },
    onLiteralValue: (_value, offset, length) => end(offset, length),
  })
  return [from, to]
}
