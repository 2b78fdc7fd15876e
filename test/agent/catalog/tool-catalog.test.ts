import { expect } from 'chai'
import {
  type CatalogFields,
  catalogFaults,
  catalogWarnings,
  ToolCatalog,
} from '../../../src/agent/catalog/index.ts'

const READ = { name: 'read_file', id: 'files.read_file' }
const WRITE = { name: 'write_file', id: 'files.write_file' }
const WEATHER = { name: 'weather', id: 'mcp:weather/forecast' }
const TOOLS = [READ, WRITE, WEATHER]

function offered(fields: CatalogFields): readonly string[] {
  const catalog = new ToolCatalog(fields)
  return TOOLS.filter((tool) => catalog.reasonAgainst(tool) === undefined).map(({ name }) => name)
}

const codesOf = (fields: CatalogFields) =>
  catalogWarnings(fields, TOOLS).map(({ code, field, entry }) => [code, field, entry])

describe('a tool catalog', () => {
  it('AW-30 has what an allow field lists, without what an exclude field lists', () => {
    expect(
      offered({ allowed_tools: ['weather'], allowed_tool_patterns: ['*_file'] }),
    ).to.deep.equal(['read_file', 'write_file', 'weather'])
    expect(
      offered({
        allowed_tool_patterns: ['*'],
        excluded_tools: ['weather'],
        excluded_tool_patterns: ['files.w*'],
      }),
    ).to.deep.equal(['read_file'])
    expect(offered({ allowed_tools: ['read_file'], excluded_tools: ['read_file'] })).to.deep.equal(
      [],
    )
  })

  it('AW-30 lists a tool by the name for the model, and by plugin and tool', () => {
    expect(offered({ allowed_tools: ['files.read_file', 'weather'] })).to.deep.equal([
      'read_file',
      'weather',
    ])
    expect(offered({ allowed_tool_patterns: ['mcp:weather/*'] })).to.deep.equal(['weather'])
  })

  it('AW-32 has everything if no field allows anything, and nothing if one does so by null or an empty list', () => {
    expect(offered({})).to.have.length(3)
    expect(offered({ excluded_tools: null, excluded_tool_patterns: null })).to.have.length(3)
    for (const none of [null, []]) {
      expect(offered({ allowed_tools: none })).to.deep.equal([])
      expect(offered({ allowed_tool_patterns: none })).to.deep.equal([])
      expect(offered({ allowed_tools: none, allowed_tool_patterns: ['w*'] })).to.deep.equal([
        'write_file',
        'weather',
      ])
    }
  })

  it('says why it leaves a tool out', () => {
    const excluding = new ToolCatalog({ excluded_tool_patterns: ['*_file'] })
    expect(excluding.reasonAgainst(READ)).to.deep.equal({
      text: 'the catalog of the agent excludes it: *_file',
      why: { code: 'TOOL_EXCLUDED', entry: '*_file' },
    })
    expect(new ToolCatalog({ allowed_tools: [] }).reasonAgainst(READ)).to.deep.equal({
      text: 'the catalog of the agent does not allow it',
      why: { code: 'TOOL_UNLISTED' },
    })
  })

  it('AW-38 excludes tools that are registered later, by a pattern', () => {
    const later = { name: 'shell', id: 'os.shell' }
    expect(
      new ToolCatalog({ excluded_tool_patterns: ['os.*'] }).reasonAgainst(later)?.why,
    ).to.include({ entry: 'os.*' })
    expect(new ToolCatalog({ excluded_tools: ['os'] }).reasonAgainst(later)).to.equal(undefined)
  })

  it('AW-33 has faults for patterns that are not valid, with their places', () => {
    const faults = catalogFaults({
      allowed_tool_patterns: ['a', ''],
      excluded_tool_patterns: ['b\\'],
    })
    expect(faults.map(({ pointer }) => pointer)).to.deep.equal([
      '/allowed_tool_patterns/1',
      '/excluded_tool_patterns/0',
    ])
    expect(catalogFaults({ allowed_tool_patterns: null })).to.deep.equal([])
  })

  it('AW-33 takes a literal by its characters, and warns of a "*" in one', () => {
    expect(offered({ allowed_tools: ['*'] })).to.deep.equal([])
    expect(codesOf({ allowed_tools: ['*_file'], excluded_tools: ['w*'] })).to.deep.equal([
      ['CATALOG_STAR_IN_LITERAL', 'allowed_tools', '*_file'],
      ['CATALOG_STAR_IN_LITERAL', 'excluded_tools', 'w*'],
    ])
  })

  it('AW-34 warns of entries that fit no registered tool, with a suggestion', () => {
    expect(codesOf({ allowed_tool_patterns: ['db_*', '*_file'] })).to.deep.equal([
      ['CATALOG_ENTRY_UNUSED', 'allowed_tool_patterns', 'db_*'],
    ])
    const [warning] = catalogWarnings({ excluded_tools: ['read_fil'] }, TOOLS)
    expect(warning?.message).to.include('Did you mean "read_file"?')
  })

  it('AW-34 says why the tool of an entry may not be registered', () => {
    const unknown = [
      { prefix: 'shop__', reason: 'The shop is closed.' },
      { prefix: '', reason: 'A plugin is off.' },
    ]
    const fields = { allowed_tools: ['shop__buy', 'other', 'read_file'] }
    const messages = catalogWarnings(fields, TOOLS, unknown).map(({ message }) => message)
    expect(messages).to.deep.equal([
      'No registered tool is named "shop__buy". The shop is closed.',
      'No registered tool is named "other". A plugin is off.',
    ])
  })

  it('AW-35 warns of entries that look like permissions', () => {
    expect(
      codesOf({ allowed_tools: ['read_file(*.md)'], excluded_tool_patterns: ['w(a)'] }),
    ).to.deep.equal([
      ['CATALOG_PERMISSION_SYNTAX', 'allowed_tools', 'read_file(*.md)'],
      ['CATALOG_PERMISSION_SYNTAX', 'excluded_tool_patterns', 'w(a)'],
    ])
  })
})
