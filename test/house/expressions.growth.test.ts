import { expect } from 'chai'
import { analyse } from 'scslre'
import type { Match } from '../../providers/model-api/price-list.ts'
import { allPriceLists } from '../../providers/model-api/price-lists.ts'
import {
  type Expression,
  expressionsIn,
  madeAtLoad,
  pythonExpressions,
  writtenExpressions,
} from '../helpers/expressions/find.ts'
import { slowOver } from '../helpers/expressions/time.ts'

/** The expressions in the price lists of @pydantic/genai-prices, as one. */
async function pricePatterns(): Promise<string> {
  const lists = [...(await allPriceLists()).values()].flat()
  const patterns = lists.flatMap(({ match }) => patternsIn(match))
  expect(patterns).not.to.deep.equal([])
  return [...new Set(patterns)].map((pattern) => `(?:${pattern})`).join('|')
}

function patternsIn(match: Match): readonly string[] {
  if ('or' in match) return match.or.flatMap(patternsIn)
  if ('and' in match) return match.and.flatMap(patternsIn)
  return 'regex' in match ? [match.regex] : []
}

/** Expressions that are made by a function of the product, and so by no load of its file. */
const MADE_LATER: { readonly [place: string]: { pattern?: string; why: string } } = {
  'src/core/config/quick-pattern.ts pattern': { why: 'it is compiled alone, and run over no text' },
  'src/core/config/secret-marks.ts pattern': {
    why: 'it repeats no group and has at most one open repeat, and it runs over short keys only',
  },
  "providers/model-api/chat/format.ts `^(${types || '$'})$`": {
    pattern: '^(image/.+|audio/(x-)?(wav|mpeg|mp3)|application/pdf|(application|text)/.+)$',
    why: 'it is made of a table of constants, which the pattern here has all of',
  },
  'providers/model-api/price-list.ts match.regex': {
    pattern: await pricePatterns(),
    why: 'it stands in the data of a library, which the pattern here has all of',
  },
}

const { written, made } = writtenExpressions()
const byLoad = made.filter(({ path, of }) => !Object.hasOwn(MADE_LATER, `${path} ${of}`))

function typeScript(source: string, flags = ''): Expression {
  return { path: '', line: 0, source, flags, language: 'TypeScript' }
}

/** Each different expression once, with what is wrong with it. */
function faultsOf(expressions: readonly Expression[]): string[] {
  const different = new Map(
    expressions.map((one) => [`${one.language} /${one.source}/${one.flags}`, one]),
  )
  return [...different].flatMap(([shown, one]) => {
    const faults = [faultByForm(one), faultByTime(one)].filter((fault) => fault !== undefined)
    return faults.map((fault) => `${one.path}:${one.line} ${shown} ${fault}`)
  })
}

function faultByForm({ source, flags, language }: Expression): string | undefined {
  if (language === 'Python') return undefined
  const [report] = analyse({ source, flags }).reports
  return report && `goes back over what it had (${report.type})`
}

function faultByTime(expression: Expression): string | undefined {
  const slow = slowOver(expression)
  return slow && `takes ${slow.milliseconds.toFixed()} ms over ${slow.attack}`
}

describe('regular expressions', function () {
  this.timeout(300_000)

  for (const folder of ['src', 'providers', 'extensions', 'features', 'tools']) {
    const own = written.filter(({ path }) => path.startsWith(`${folder}/`))
    it(`of ${folder}, ${own.length} of them, take time in proportion to any text`, () => {
      expect(own).not.to.deep.equal([])
      expect(faultsOf(own)).to.deep.equal([])
    })
  }

  it('that are made of parts when a file is loaded take time in proportion to any text', () => {
    const paths = [...new Set(byLoad.map(({ path }) => path))]
    const expressions = madeAtLoad(paths)
    expect([...new Set(expressions.map(({ path }) => path))]).to.deep.equal(paths)
    expect(expressions).to.have.length.of.at.least(byLoad.length)
    expect(faultsOf(expressions)).to.deep.equal([])
  })

  it('that a function makes are known here, and take time in proportion to any text', () => {
    const places = made.map(({ path, of }) => `${path} ${of}`)
    expect(Object.keys(MADE_LATER).filter((place) => !places.includes(place))).to.deep.equal([])
    const patterns = Object.values(MADE_LATER).flatMap(({ pattern }) => pattern ?? [])
    expect(faultsOf(patterns.map((pattern) => typeScript(pattern)))).to.deep.equal([])
  })

  it('of Python files take time in proportion to any text', () => {
    const expressions = pythonExpressions()
    expect(expressions).not.to.deep.equal([])
    // A pattern that is no constant cannot be read here.
    expect(expressions.filter(({ source }) => source === '')).to.deep.equal([])
    expect(faultsOf(expressions)).to.deep.equal([])
  })
})

describe('the search for slow regular expressions', function () {
  this.timeout(300_000)

  const SLOW = [
    /(a+)+$/,
    /\s+$/,
    /[ \t]+#+[ \t]*$/,
    /^\s*(.*?)\s*$/,
    /(\s*\n)+x/,
    /\/+$/,
    /\$\{env:([^}]*)\}/g,
    /\{[^}]*\}/g,
    /[^\n]*\n/g,
    /^[ \t]*(`{3,}|~{3,})(.*)$/,
    /-----BEGIN-----[\s\S]{1,10000}?-----END-----/g,
    /<([^\n]{1,5000})>/g,
    /^(?:\w+\s?)+$/,
    /x(?=.*y)/g,
  ]
  for (const { source, flags } of SLOW) {
    it(`finds /${source}/${flags}`, () => {
      expect(faultsOf([typeScript(source, flags)])).not.to.deep.equal([])
    })
  }

  for (const { source, flags } of [
    /^[a-z]+$/,
    /\p{L}+/gu,
    /\s+(?:\S{1,16})?/g,
    /^\s*\S/,
    /a{1,40}b/g,
  ]) {
    it(`lets /${source}/${flags} be`, () => {
      expect(faultsOf([typeScript(source, flags)])).to.deep.equal([])
    })
  }

  it('finds slow patterns of Python', () => {
    const spaces: Expression = { ...typeScript('\\s+$'), language: 'Python' }
    expect(faultsOf([spaces])).to.have.length(1)
  })

  it('finds expressions in calls of RegExp, and those that are made of parts', () => {
    const text = "new RegExp('a+$', 'g'); RegExp(`b${c}`); text.split(/d/)"
    const found = expressionsIn('x.ts', text)
    expect(found.written.map(({ source, flags }) => [source, flags])).to.deep.equal([
      ['a+$', 'g'],
      ['d', ''],
    ])
    expect(found.made.map(({ of }) => of)).to.deep.equal(['`b${c}`'])
  })
})
