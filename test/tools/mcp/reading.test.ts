import { expect } from 'chai'
import { readingSchemas } from '../../../tools/mcp/reading.ts'
import { type McpState, readSettings } from '../../../tools/mcp/settings.ts'
import { callOn, inventoryOf, keepHosts, mcpHost, rawServer, sdkServer } from './mcp-host.ts'

describe('the resources and prompts of MCP servers', function () {
  this.timeout(20_000)
  const kept = keepHosts()

  it('are offered only where the config says so', async () => {
    const host = await kept(mcpHost({ fx: sdkServer() }))
    expect(await inventoryOf(host)).to.not.have.any.keys('mcp__list', 'mcp__read')
  })

  it('are tools that say what each argument is for, and which servers there are', () => {
    const servers = [{ name: 'fx' }, { name: 'raw' }]
    const schemas = readingSchemas({ servers, resources: true } as unknown as McpState)
    expect(schemas.map(({ name }) => name)).to.deep.equal(['mcp__list', 'mcp__read'])
    for (const { name, description, input_schema } of schemas) {
      expect(description, name).to.match(/^\w.+\.$/)
      const properties = input_schema['properties'] as { [key: string]: { description?: string } }
      expect(properties['server']).to.deep.equal({
        type: 'string',
        enum: ['fx', 'raw'],
        description: 'Name of the MCP server',
      })
      for (const [key, field] of Object.entries(properties))
        expect(field.description, `${name}.${key}`).to.match(/^\w.+/)
    }
  })

  for (const args of [[], ['--era', '2025']]) {
    it(`are listed and read: ${args.join(' ') || 'the newest protocol'}`, async () => {
      const host = await kept(mcpHost({ fx: sdkServer(...args) }, { resources: true }))
      const { output } = await callOn(host, 'mcp__list', { server: 'fx' })
      expect(output).to.deep.equal({
        resources: [{ uri: 'note://1', name: 'note' }],
        templates: [],
        prompts: [{ name: 'greet', description: 'Greets', arguments: ['name'] }],
      })
      const note = await callOn(host, 'mcp__read', { server: 'fx', uri: 'note://1' })
      expect(note.output).to.deep.equal([{ type: 'text', text: 'Resource note://1:\nBuy bread.' }])
      const input = { server: 'fx', prompt: 'greet', arguments: [{ name: 'name', value: 'Ada' }] }
      const prompt = await callOn(host, 'mcp__read', input)
      expect(JSON.stringify(prompt.output)).to.include('Greet Ada.')
    })
  }

  it('are errors where there are none', async () => {
    const host = await kept(mcpHost({ raw: rawServer(), fx: sdkServer() }, { resources: true }))
    const { output } = await callOn(host, 'mcp__list', { server: 'raw' })
    expect(output).to.deep.equal({ resources: [], templates: [], prompts: [] })
    for (const input of [
      { server: 'fx', uri: 'note://none' },
      { server: 'fx', prompt: 'none' },
      { server: 'fx' },
    ]) {
      const { isError, output: text } = await callOn(host, 'mcp__read', input)
      expect(isError, JSON.stringify(input)).to.equal(true)
      expect(text).to.match(/^The MCP server "fx": /)
    }
    const strange = await callOn(host, 'mcp__list', { server: 'strange' })
    expect(strange.error?.class).to.equal('invalid_arguments')
  })

  it('are listed of a server that lacks lists: those are empty', async () => {
    const host = await kept(mcpHost({ raw: rawServer('toolless') }, { resources: true }))
    expect(await inventoryOf(host)).to.have.keys('mcp__list', 'mcp__read')
    const { output } = await callOn(host, 'mcp__list', { server: 'raw' })
    expect(output).to.deep.equal({
      resources: [{ uri: 'note://1', name: 'note' }],
      templates: [],
      prompts: [],
    })
    expect((await host.send({}, 'hi')).warnings ?? []).to.deep.equal([])
  })

  it('have names that no server may have at the same time', () => {
    const mcp = { servers: { mcp: { command: 'a' } }, resources: true }
    expect(() => readSettings({ settings: { mcp } })).to.throw(/whose name is taken/)
  })
})
