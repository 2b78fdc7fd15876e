import { expect } from 'chai'
import { createHost, type Host, type ToolSchemaOptions } from '../../../src/core/index.ts'
import { TOOL_SCHEMA_FORMATS } from '../../../src/core/tool-schemas/index.ts'
import { errorOf, provider, schema, tool } from '../../helpers/plugins.ts'
import { ShippedForms } from '../../helpers/shipped-form.ts'
import { rawServer } from '../../tools/mcp/servers.ts'
import { anthropicFaults } from '../tool-schemas/rules-anthropic.ts'
import { googleFaults } from '../tool-schemas/rules-google.ts'
import { openaiFaults } from '../tool-schemas/rules-openai.ts'

const FAULTS = { 'openai-strict': openaiFaults, anthropic: anthropicFaults, google: googleFaults }

function toolOf(name: string, input: object, more: object = {}) {
  return tool(name, { getToolSchemas: () => [{ ...schema('act'), input_schema: input, ...more }] })
}

const TEXT = { type: 'object', properties: { a: { type: 'string' } } }

describe('host.toolSchemas for a format', () => {
  it('gives each tool with its plugin, its marks, its names, and what was lost', async () => {
    const safety = { is_read_only: true }
    await using host = await createHost({ plugins: [provider('p'), toolOf('t', TEXT, { safety })] })
    const [lowered] = await host.toolSchemas(
      { tool_names: { 't.act': 'do' } },
      { for: 'openai-strict' },
    )
    expect(lowered).to.deep.include({
      plugin: 't',
      name: 'do',
      ownName: 'act',
      safety,
      format: 'openai-strict',
      strict: true,
    })
    expect(lowered?.lost.map(({ pointer, keyword }) => `${pointer} ${keyword}`)).to.deep.equal([
      ' additionalProperties',
      '/properties/a required',
    ])
  })

  it("lowers for the config's provider, which may say nothing of it", async () => {
    const strict = provider('strict', { toolSchemaFormat: 'openai-strict' })
    await using host = await createHost({ plugins: [provider('p'), strict, toolOf('t', TEXT)] })
    const formats = ['p', 'strict'].map(async (name) => {
      const [lowered] = await host.toolSchemas({ provider: name }, { for: 'provider' })
      return lowered?.format
    })
    expect(await Promise.all(formats)).to.deep.equal(['json-schema', 'openai-strict'])
  })

  it('lets no schema that is none through, and says whose it is and where', async () => {
    const broken = { type: 'object', properties: { a: { $ref: 'other.json' } } }
    await using host = await createHost({ plugins: [provider('p'), toolOf('t', broken)] })
    const error = await errorOf(() => host.toolSchemas({}, { for: 'google' }))
    expect(error).to.include({ code: 'TOOL_SCHEMA_INVALID', plugin: 't', pointer: '/properties/a' })
    expect(error.message).to.include('"act" of tool "t"').and.include('$defs')
  })

  it('knows its formats, and names them where another is asked for', async () => {
    await using host = await createHost({ plugins: [provider('p')] })
    const options = { for: 'gemini' } as unknown as ToolSchemaOptions
    const error = await errorOf(() => host.toolSchemas({}, options))
    expect(error.code).to.equal('OPTION_INVALID')
    for (const format of [...TOOL_SCHEMA_FORMATS, 'provider'])
      expect(error.message).to.include(format)
  })

  describe('of every shipped plugin', () => {
    let shipped: ShippedForms
    let host: Host
    before(async function () {
      this.timeout(30_000)
      shipped = await ShippedForms.make(this)
      host = await shipped.host([provider('p')])
    })
    after(async () => {
      await host?.close()
      await shipped?.remove()
    })

    for (const format of ['openai-strict', 'anthropic', 'google'] as const) {
      it(`lowers the tools for ${format}`, async () => {
        const root = import.meta.dirname
        const mcp = { servers: { raw: rawServer() }, resources: true }
        const config = {
          provider: 'p',
          force_enabled_plugins: shipped.names,
          settings: { files: { root }, 'search-docs': { root }, mcp },
        }
        const lowered = await host.toolSchemas(config, { for: format })
        // MCP servers and plugins of llm have tools, and none is there.
        const elsewhere = ['mcp', 'llm-tools']
        const tools = shipped.plugins.filter(
          ({ kind, name }) => kind === 'tool' && !elsewhere.includes(name),
        )
        expect(new Set(lowered.map(({ plugin }) => plugin))).to.include.all.keys(
          tools.map(({ name }) => name),
        )
        for (const { name, strict, input_schema } of lowered) {
          if (strict !== false) expect(FAULTS[format](input_schema), name).to.deep.equal([])
          // Tools of our own are such that a model can be held to them.
          if (format !== 'google') expect(strict, name).to.equal(true)
        }
      })
    }
  })
})
