import { expect } from 'chai'
import fc from 'fast-check'
import {
  type CallerTool,
  modelSchemas,
  offerTools,
  type ToolSource,
} from '../../../src/core/tool-schemas/offered-tools.ts'
import { errorOf, schema, tool } from '../../helpers/plugins.ts'

function source(name: string, ...schemas: readonly unknown[]): ToolSource {
  return { plugin: tool(name), state: { of: name }, schemas }
}

const namesOf = (...sources: ToolSource[]) => offerTools(sources).map(({ name }) => name)

describe('offerTools', () => {
  it("CL-30 joins the tools' schemas in order, the caller's after them", () => {
    const offered = offerTools(
      [source('b', schema('b1'), schema('b2')), source('a', schema('a1'))],
      [schema('mine')],
    )
    expect(offered.map(({ name, plugin }) => [name, plugin?.name])).to.deep.equal([
      ['b1', 'b'],
      ['b2', 'b'],
      ['a1', 'a'],
      ['mine', undefined],
    ])
    expect(offered[0]?.state).to.deep.equal({ of: 'b' })
  })

  it('CL-30 refuses a name that is taken, whoever took it', async () => {
    const clashes: [readonly ToolSource[], readonly CallerTool[], string[]][] = [
      [[source('a', schema('x'), schema('x'))], [], ['tool "a"']],
      [[source('a', schema('x')), source('b', schema('x'))], [], ['tool "a"', 'tool "b"']],
      [[source('a', schema('x'))], [schema('x')], ['tool "a"', 'the caller']],
      [[], [schema('x'), schema('x')], ['the caller']],
    ]
    for (const [sources, callers, owners] of clashes) {
      const error = await errorOf(() => offerTools(sources, callers))
      expect(error).to.include({ code: 'TOOL_NAME_TAKEN', pointer: '/tool_names' })
      for (const owner of owners) expect(error.message).to.include(owner)
    }
  })

  it('says what helps where one plugin has a name twice', async () => {
    const twice = await errorOf(() => offerTools([source('a', schema('x'), schema('x'))], []))
    expect(twice.message).to.equal(
      'Two tools of tool "a" have the name "x". Give each of them a name of its own.',
    )
    const sources = [source('a', schema('x'), schema('y'))]
    const renamed = await errorOf(() => offerTools(sources, [], { tool_names: { 'a.y': 'x' } }))
    expect(renamed.message).to.equal(
      'Two tools of tool "a" have the name "x". Rename one of them with "tool_names" in the config.',
    )
  })

  it('lets a tool of the caller take the place of a plugin’s where the caller says so', () => {
    const sources = [source('a', schema('x'), schema('y')), source('b', schema('a.b'))]
    const callers = [schema('x', { description: 'mine' }), schema('a_b')]
    const replacing = callers.map((one) => ({ ...one, replaces: true }))
    const offered = offerTools(sources, replacing, { tool_policy: { x: 'deny', y: 'deny' } })
    expect(
      offered.map(({ name, plugin, policy }) => [name, plugin?.name, policy.decision]),
    ).to.deep.equal([
      ['y', 'a', 'deny'],
      ['x', undefined, 'allow'],
      ['a_b', undefined, 'allow'],
    ])
    expect(offered[1]?.schema).to.deep.equal(callers[0])
    const twice = [...replacing, schema('x')]
    expect(() => offerTools([], twice)).to.throw('Two tools of the caller of the request')
  })

  it('renames a tool as the config says, and remembers its own name', () => {
    const sources = [source('web', schema('search')), source('files', schema('search'))]
    const offered = offerTools(sources, [], {
      tool_names: { 'files.search': 'find', 'web.other': 'x' },
    })
    expect(
      offered.map(({ name, ownName, schema: own }) => [name, ownName, own.name]),
    ).to.deep.equal([
      ['search', 'search', 'search'],
      ['find', 'search', 'find'],
    ])
  })

  it('takes no rename from the members that every object has', () => {
    expect(
      offerTools([], [schema('constructor'), schema('toString')]).map(({ name }) => name),
    ).to.deep.equal(['constructor', 'toString'])
  })

  it('gives names that every model API takes, and numbers those that only then are equal', () => {
    expect(
      namesOf(source('a', schema('my tool'), schema('my.tool'), schema('my_tool'))),
    ).to.deep.equal(['my_tool', 'my_tool_2', 'my_tool_3'])
    const long = 'x'.repeat(70)
    expect(namesOf(source('a', schema(`${long}1`), schema(`${long}2`)))).to.deep.equal([
      'x'.repeat(64),
      `${'x'.repeat(62)}_2`,
    ])
  })

  it('gives legal, different names to any different own names', () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 80 }), { maxLength: 12 })
    fc.assert(
      fc.property(names, (own) => {
        const offered = namesOf(source('a', ...own.map((name) => schema(name))))
        expect(new Set(offered).size).to.equal(own.length)
        for (const name of offered) expect(name).to.match(/^[A-Za-z0-9_-]{1,64}$/)
      }),
    )
  })

  const FAULTS: readonly [what: string, value: unknown, message: string][] = [
    ['text', 'search', 'is not an object'],
    ['a schema without a name', { input_schema: {} }, 'has no "name"'],
    ['an empty name', schema(''), 'has no "name"'],
    [
      'a description that is no text',
      schema('x', { description: 7 }),
      'has a "description" that is not a string',
    ],
    ['a schema without arguments', { name: 'x', description: '' }, 'has no "input_schema"'],
  ]
  for (const [what, value, message] of FAULTS) {
    it(`refuses ${what}, and names its tool`, async () => {
      const error = await errorOf(() => offerTools([source('t', schema('fine'), value)]))
      expect(error).to.include({ code: 'TOOL_SCHEMA_INVALID', plugin: 't', pointer: '/1' })
      expect(error.message).to.include('tool "t"').and.include(message)
    })
  }

  it("keeps the caller's function beside the schema, not in it", () => {
    const execute = () => 3
    const [offered] = offerTools([], [{ ...schema('mine'), execute }])
    expect(offered?.execute).to.equal(execute)
    expect(offered?.schema).to.deep.equal(schema('mine'))
  })
})

describe('tools of a caller that are no list of objects', () => {
  for (const tools of [{ add: schema('add') }, 'add', [null]]) {
    it(`are refused: ${JSON.stringify(tools)}`, async () => {
      const error = await errorOf(() => offerTools([], tools as never))
      expect(error).to.include({ code: 'OPTION_INVALID', pointer: '/tools' })
    })
  }
})

describe('modelSchemas', () => {
  it('CL-46 leaves out what stays with the host, and nothing else', () => {
    const own = { ...schema('x'), output_schema: { type: 'number' } }
    const offered = offerTools([source('t', { ...own, safety: { is_destructive: true } })])
    expect(modelSchemas(offered)).to.deep.equal([own])
    expect(offered[0]?.schema.safety).to.deep.equal({ is_destructive: true })
  })
})
