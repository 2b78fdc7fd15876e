import { expect } from 'chai'
import fc from 'fast-check'
import { formulaOf, type MathElement } from '../../../src/page/site/markdown/formula.ts'
import { propertyRuns } from '../../helpers/cases.ts'

function elementsIn(node: MathElement | string | undefined): readonly MathElement[] {
  if (node === undefined || typeof node === 'string') return []
  return [node, ...node.children.flatMap(elementsIn)]
}

const textOf = (node: MathElement | string): string =>
  typeof node === 'string' ? node : node.children.map(textOf).join('')

const MANY = 800
const nested = (open: string, close: string) => `${open.repeat(MANY)}x${close.repeat(MANY)}`

/** Formulas that are faulty, hostile or too large. */
const REFUSED: readonly string[] = [
  '\\frac{1}{',
  '\\undefinedcmd{x}',
  '\\href{javascript:alert(1)}{x}',
  '\\url{https://leak.example}',
  '\\includegraphics{https://leak.example/a.png}',
  '\\class{composer}{x}',
  '\\style{position:fixed}{x}',
  '\\id{page}{x}',
  '\\data{a=b}{x}',
  '\\def\\a{\\a\\a}\\a',
  '\\newcommand{\\a}{\\a}\\a',
  `\\def\\a{${'x'.repeat(2500)}}${'\\a'.repeat(900)}`,
  `\\def\\a{xx}${'\\edef\\a{\\a\\a}'.repeat(25)}\\a`,
  'x'.repeat(100_000),
  nested('x^{', '}'),
  nested('\\sqrt{', '}'),
  nested('\\frac1{', '}'),
]

describe('formulaOf', () => {
  it('makes MathML of TeX', () => {
    const formula = formulaOf('\\frac{1}{3} = \\sqrt{x_1}', false)
    expect(elementsIn(formula).map(({ tag }) => tag)).to.include.members(['mfrac', 'msqrt', 'msub'])
    expect(textOf(formula as MathElement)).to.equal('13=x1')
    expect(formulaOf('x', true)?.attributes['display']).to.equal('block')
    for (const tex of [
      '\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}',
      '\\begin{aligned}a&=b+c\\\\&=d\\end{aligned}',
      'f(x)=\\begin{cases}1&x>0\\\\0&\\text{else}\\end{cases}',
      '\\int_0^1 x^2\\,dx \\sum_{i=1}^n i \\vec{v}\\cdot\\mathbb{R}',
      '\\boxed{x} \\cancel{y} \\overline{ab} \\textcolor{red}{z}',
    ])
      expect(formulaOf(tex, true), tex).to.have.property('tag', 'math')
  })

  it('makes nothing of a formula that is faulty, hostile or too large, in time', function () {
    this.timeout(10_000)
    for (const tex of REFUSED) expect(formulaOf(tex, true), tex.slice(0, 40)).to.equal(undefined)
  })

  it('has no element, address or place of its own outside of MathML', () => {
    const hostile =
      '\\ref{a}\\label{b}\\hspace{-500em}x\\kern{-99em}y\\raisebox{999em}{z}\\rule{9999em}{9999em}\\mathllap{xxxx}\\smash{x}'
    for (const { tag, attributes, style } of elementsIn(formulaOf(hostile, false))) {
      expect(tag).to.match(/^m/)
      for (const name of Object.keys(attributes))
        expect(name).to.not.match(/^(?:on|href|src|id|style)/)
      for (const [name, value] of [...Object.entries(attributes), ...Object.entries(style)]) {
        expect(name).to.not.match(/margin|position|transform/)
        expect(value).to.not.match(/-\d|url|\(|\d{3}/)
      }
    }
  })

  it('throws for no text', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '\\frac',
        '{',
        '}',
        '^',
        '_',
        '&',
        '\\\\',
        '\\begin{matrix}',
        '\\end{matrix}',
        '\\left(',
        '\\right)',
        '\\text{',
        '#1',
        '%',
        '\\color{',
      ),
      fc.string({ maxLength: 5, unit: 'binary' }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const formula = formulaOf(pieces.join(''), true)
        expect(formula === undefined || formula.tag === 'math').to.equal(true)
      }),
      { numRuns: propertyRuns(500) },
    )
  })
})
