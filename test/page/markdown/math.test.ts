import { expect } from 'chai'
import fc from 'fast-check'
import { BlockReader } from '../../../src/page/site/markdown/block-reader.ts'
import type { Block, Inline, MathNode } from '../../../src/page/site/markdown/nodes.ts'
import { propertyRuns } from '../../helpers/cases.ts'

const BASE = 'http://127.0.0.1:8080/chat/'

function read(text: string): readonly Block[] {
  return new BlockReader(BASE).read(text)
}

function inlinesIn(text: string): readonly Inline[] {
  return read(text).flatMap((block) => ('children' in block ? block.children : []))
}

const isMath = (node: Block | Inline): node is MathNode => node.kind === 'math'

/** The formulas of a text, in lines and between them. */
function formulasIn(text: string): readonly MathNode[] {
  return [...read(text), ...inlinesIn(text)].filter(isMath)
}

const wordsOf = (text: string) =>
  inlinesIn(text)
    .map((node) => ('text' in node ? node.text : isMath(node) ? node.raw : ''))
    .join('')

describe('formulas in Markdown', () => {
  it('are between the delimiters of TeX, in a line and on lines of their own', () => {
    for (const raw of ['$a_1 * b_2 * c$', '\\(a_1 * b_2 * c\\)', '$x$', '$\\$5$']) {
      const [formula, ...others] = formulasIn(`It is ${raw}, is it?`)
      expect(others).to.deep.equal([])
      expect(formula, raw).to.include({ raw, isDisplay: false })
      expect(wordsOf(`It is ${raw}, is it?`)).to.equal(`It is ${raw}, is it?`)
    }
    for (const raw of ['$$a\\\\b$$', '\\[x\\]']) {
      expect(formulasIn(`It is ${raw}, is it?`)[0], raw).to.include({ raw, isDisplay: true })
      expect(read(`${raw}\n`)[0], raw).to.include({ kind: 'math', raw, isDisplay: true })
    }
    const display = read('It is\n$$\nx\n= y\n$$\nand\n\\[\nz\n\\]\n')
    expect(display.map(({ kind }) => kind)).to.deep.equal([
      'paragraph',
      'math',
      'paragraph',
      'math',
    ])
    expect(display[1]).to.deep.equal({
      kind: 'math',
      tex: 'x\n= y',
      raw: '$$\nx\n= y\n$$',
      isDisplay: true,
    })
    expect(read('- a\n\n  $$x$$\n')).to.have.nested.property('[0].items[0].blocks[1].kind', 'math')
  })

  it('are not prices, code or links', () => {
    for (const text of [
      'It costs $5 and $10.',
      '$5-$10',
      'from $ 5 to 6$ a day',
      '`$x$`',
      '```\n$x$\n\n$$\nx\n$$\n```',
      '    $$x$$',
      'one $x\ny$ two',
      '$$\n\n$$',
      '$$a\n\nb$$',
      '\\$x$',
      '[a](http://a.example/$x$)',
    ]) {
      expect(formulasIn(text), text).to.deep.equal([])
    }
    expect(read('*$5* and *$10*')).to.have.nested.property('[0].children[0].kind', 'em')
  })

  it('stay as they are written until their end has come', () => {
    const reader = new BlockReader(BASE)
    const whole = 'It is \\(a_1 * b_2 * c\\) and\n\n$$\n\\frac{a_1}{b_1} * c\n$$\n\nso.'
    for (let end = 7; end < whole.length; end++) {
      const text = whole.slice(0, end)
      const shown = JSON.stringify(reader.read(text, true))
      expect(shown, text).to.not.include('"em"')
      const [open] = /\\\([^)]+$/.exec(text) ?? []
      if (open) expect(shown).to.include(JSON.stringify(open).slice(1, -1))
    }
    const source = (text: string) => [{ kind: 'plain', text }]
    expect(new BlockReader(BASE).read('$$\n\\frac{a', true)).to.deep.equal(source('$$\n\\frac{a'))
    expect(new BlockReader(BASE).read('\\[\n*a* b', true)).to.deep.equal(source('\\[\n*a* b'))
    expect(reader.read(whole)).to.deep.equal(read(whole))
  })

  it('change nothing in a text without dollars and backslashes', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        expect(formulasIn(text.replaceAll(/[$\\]/g, ''))).to.deep.equal([])
      }),
      { numRuns: propertyRuns(300) },
    )
  })

  it('keep their source', () => {
    const tex = fc.stringMatching(/^[a-z+^_{}]{1,40}$/)
    const pair = fc.constantFrom(['$', '$'], ['$$', '$$'], ['\\(', '\\)'], ['\\[', '\\]'])
    fc.assert(
      fc.property(tex, pair, (inner, [open = '', close = '']) => {
        const raw = `${open}${inner}${close}`
        expect(formulasIn(`a ${raw} b`).map((one) => one.raw)).to.deep.equal([raw])
        expect(formulasIn(`a ${raw} b`)[0]?.tex).to.equal(inner)
      }),
      { numRuns: propertyRuns(300) },
    )
  })
})
