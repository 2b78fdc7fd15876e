import { expect } from 'chai'
import { parseSync } from 'oxc-parser'
import { sourceFiles } from '../helpers/source-files.ts'
import { type Node, walk } from '../helpers/syntax.ts'

const FOLDERS = ['src', 'providers', 'extensions', 'features', 'tools']

/** Getters of objects that are made once for a server, or once for a question to `explain`. */
const RARE = ['src/core/explain/reads.ts', 'src/server/server.ts']

/**
 * V8 allocates some values among those that live long, where only a full collection of the garbage finds that they are
 * dead: a function that is written on the right of an assignment to a property (`set_pretenure` in V8's parser), and
 * the getter of an object literal, which is part of the hidden class of the object. Until then, all that the function
 * refers to is kept and copied, which is a whole request or run. That made a third of the cost of a run.
 */
describe('what a request makes does not outlive it', () => {
  const files = sourceFiles(...FOLDERS).filter(({ text }) => text !== '')

  it('finds both forms', () => {
    const text = `this.#resume = () => 1; this.#resume ??= function () {}; const a = { get b() { return 1 } }`
    expect(placesIn('x.ts', text)).to.deep.equal([
      'x.ts:1 assigns a function',
      'x.ts:1 assigns a function',
      'x.ts:1 writes a getter',
    ])
  })

  it('accepts a function with a name of its own, a field of a class, and a getter of a class', () => {
    const text = `
      const goOn = () => 1
      this.#resume = goOn
      class A { readonly #wake = () => this.#resume(); get b() { return 1 } }
      const c = { d: () => 1 }`
    expect(placesIn('x.ts', text)).to.deep.equal([])
  })

  it('assigns no function to a property where it is written, and writes no getter in an object', () => {
    expect(files).to.have.length.above(500)
    const places = files.flatMap(({ path, text }) => placesIn(path, text))
    const kept = places.filter((place) => RARE.some((path) => place.startsWith(`${path}:`)))
    expect(places.filter((place) => !kept.includes(place))).to.deep.equal([])
    expect(kept, 'a file of RARE has no getter any more').to.have.length(RARE.length)
  })
})

function placesIn(path: string, text: string): readonly string[] {
  const places: string[] = []
  walk(parseSync(path, text).program, (node) => {
    const fault = faultOf(node)
    if (fault) places.push(`${path}:${text.slice(0, node.start).split('\n').length} ${fault}`)
  })
  return places
}

function faultOf(node: Node): string | undefined {
  const { type, left, right, properties } = node as Node & {
    readonly left?: Node
    readonly right?: Node
    readonly properties?: readonly { readonly kind?: string }[]
  }
  const isAssigned = type === 'AssignmentExpression' && left?.type === 'MemberExpression'
  if (isAssigned && /Function/.test(right?.type ?? '')) return 'assigns a function'
  const hasGetter = type === 'ObjectExpression' && properties?.some(({ kind }) => kind === 'get')
  return hasGetter ? 'writes a getter' : undefined
}
