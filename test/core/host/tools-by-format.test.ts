import { expect } from 'chai'
import { run } from '../../../src/agent/index.ts'
import { type CallerTool, type ConfigLayer, createHost } from '../../../src/core/index.ts'
import { lowering, TOOL_SCHEMA_FORMATS } from '../../../src/core/tool-schemas/index.ts'
import type { Config } from '../../../src/plugin/config.ts'
import type { JsonObject } from '../../../src/plugin/events/index.ts'
import type { AnyPlugin } from '../../../src/plugin/plugin.ts'
import { caller, errorOf, tool } from '../../helpers/plugins.ts'
import { eachPythonFolder, type PythonFolder } from '../../helpers/python-hosts.ts'

const SEARCH = {
  type: 'object',
  properties: {
    query: { type: 'string', minLength: 1 },
    limit: { type: 'integer' },
    where: {
      type: 'array',
      items: {
        type: 'object',
        properties: { site: { type: 'string' }, deep: { type: 'boolean' } },
      },
    },
    lang: { type: ['string', 'null'] },
  },
  required: ['query'],
}
const OPEN = { type: 'object', additionalProperties: { type: 'string' } }
const FORMATS = [...TOOL_SCHEMA_FORMATS, undefined]

function offering(...schemas: readonly object[]): AnyPlugin {
  const getToolSchemas = () =>
    schemas.map((input_schema, at) => ({ name: `t${at}`, description: 'Acts', input_schema }))
  return tool('acts', {
    getToolSchemas,
    executeTool: ({ input }: { input: unknown }) => ({ output: { got: input } }),
  })
}

/** The schemas as a format has them, with `strict` where it says so. */
function expectedOf(format: (typeof FORMATS)[number], schemas: readonly object[]) {
  const lower = format === undefined ? undefined : lowering(format)
  return schemas.map((own, at) => {
    const { input_schema, strict } = lower?.(own as JsonObject) ?? { input_schema: own }
    const said = strict === undefined ? {} : { strict }
    return { name: `t${at}`, description: 'Acts', input_schema, ...said }
  })
}

describe('the tools that a provider is given in init', () => {
  const keep = ({ tools }: Config) => ({ tools })

  for (const format of FORMATS) {
    it(`CL-46 are in its format: ${format ?? 'none'}`, async () => {
      const said = format === undefined ? {} : { toolSchemaFormat: format }
      await using host = await createHost({
        plugins: [caller('p', [], { init: keep, ...said }), offering(SEARCH, OPEN)],
      })
      const { state } = await host.dryRun({}, 'Hello')
      expect(state['tools']).to.deep.equal(expectedOf(format, [SEARCH, OPEN]))
    })
  }

  it('CL-46 are in the format that it has for the config', async () => {
    const toolSchemaFormat = ({ settings = {} }: Config) => settings['p']?.['format']
    await using host = await createHost({
      plugins: [caller('p', [], { init: keep, toolSchemaFormat }), offering(SEARCH)],
    })
    for (const format of FORMATS) {
      const config = { settings: { p: format === undefined ? {} : { format } } }
      const { state } = await host.dryRun(config, 'Hello')
      expect(state['tools']).to.deep.equal(expectedOf(format, [SEARCH]))
    }
  })

  it('CL-46 fail with a function that answers with no format', async () => {
    const host = await createHost({
      plugins: [caller('p', [], { toolSchemaFormat: () => 'openai' }), offering(SEARCH)],
    })
    const error = await errorOf(host.dryRun({}, 'Hello'))
    expect(error).to.include({ code: 'HOOK_ANSWER_INVALID', hook: 'toolSchemaFormat' })
    expect(error.message).to.include('is "openai", and none of json-schema, openai-strict')
    await host.close()
  })

  it('CL-46 have no mark of the tool itself that says what the format says', async () => {
    const marked = { name: 't0', description: 'Acts', input_schema: SEARCH, strict: true }
    const plugins = [
      caller('p', [], { init: keep, toolSchemaFormat: 'json-schema' }),
      tool('acts', { getToolSchemas: () => [marked] }),
    ]
    await using host = await createHost({ plugins })
    expect((await host.dryRun({}, 'Hello')).state['tools']).to.deep.equal(
      expectedOf('json-schema', [SEARCH]),
    )
    const [shown] = await host.toolSchemas({}, { for: 'provider' })
    expect(shown).not.to.have.property('strict')
  })

  it('CL-46 are not there where the format cannot be told: the error names plugin and value', async () => {
    const toolSchemaFormat = () => {
      throw new Error('boom')
    }
    await using host = await createHost({
      plugins: [caller('p', [], { toolSchemaFormat }), offering(SEARCH)],
    })
    for (const asked of [host.dryRun({}, 'Hello'), host.toolSchemas()]) {
      const error = await errorOf(asked)
      expect(error).to.include({ code: 'HOOK_FAILED', plugin: 'p', hook: 'toolSchemaFormat' })
    }
  })

  describe('of Python', function () {
    this.timeout(30_000)
    let folder: PythonFolder
    eachPythonFolder((made) => {
      folder = made
    })

    const provider = (format: string) => `
kind = "provider"
name = "py"
${format}

def init(config):
    return {"tools": config["tools"]}

def call(native, state):
    return [], [], native, state
`

    it('CL-46 are in its format', async () => {
      const named = FORMATS.map((format, at) => {
        const said = format === undefined ? '' : `tool_schema_format = "${format}"`
        return provider(said).replace('name = "py"', `name = "py${at}"`)
      })
      const host = await folder.host([...named, offering(SEARCH, OPEN)])
      for (const [at, format] of FORMATS.entries()) {
        const { state } = await host.dryRun({ provider: `py${at}` }, 'Hello')
        expect(state['tools']).to.deep.equal(expectedOf(format, [SEARCH, OPEN]))
      }
    })

    for (const [title, own] of [
      ['a function', 'def tool_schema_format():\n    return "openai-strict"'],
      [
        'a function of the config',
        'def tool_schema_format(config):\n    return config["settings"]["py"]["format"]',
      ],
      [
        'an async one',
        'async def tool_schema_format(config):\n    return config["settings"]["py"]["format"]',
      ],
    ] as const) {
      it(`CL-46 are in the format that ${title} says`, async () => {
        const host = await folder.host([provider(own), offering(SEARCH)])
        const config = { provider: 'py', settings: { py: { format: 'openai-strict' } } }
        const { state } = await host.dryRun(config, 'Hello')
        expect(state['tools']).to.deep.equal(expectedOf('openai-strict', [SEARCH]))
        const [shown] = await host.toolSchemas(config, { for: 'provider' })
        expect(shown).to.deep.include({ format: 'openai-strict', strict: true })
      })
    }

    it('CL-46 fail with a function that throws', async () => {
      const own = 'def tool_schema_format(config):\n    raise ValueError("boom")'
      const host = await folder.host([provider(own), offering(SEARCH)])
      const error = await errorOf(host.dryRun({ provider: 'py' }, 'Hello'))
      expect(error).to.include({ code: 'HOOK_FAILED', plugin: 'py', hook: 'toolSchemaFormat' })
    })
  })
})

/** A provider that calls `t0` once with these arguments, held to strict schemas or not. */
function calling(input: unknown, toolSchemaFormat = 'openai-strict'): AnyPlugin {
  const call = { type: 'tool-call', callId: 'c1', name: 't0', input }
  let isFirst = true
  const answer = () => {
    const parts = isFirst ? [call] : [{ type: 'text', text: 'Done.' }]
    isFirst = false
    return [{ role: 'assistant', parts }]
  }
  return caller('p', [], {
    toolSchemaFormat,
    call: (native: unknown, state: unknown) => [[], answer(), native, state],
  })
}

async function outcomeOf(
  plugins: readonly AnyPlugin[],
  tools: readonly CallerTool[] = [],
  config: ConfigLayer = {},
) {
  await using host = await createHost({ plugins })
  const { messages, finishReason } = await run(host, { config, messages: 'go', tools }).result
  const parts = messages.flatMap((message) => message.parts)
  const result = parts.find((part) => part.type === 'tool-result')
  const asked = parts.find((part) => part.type === 'tool-call')
  return { result, asked, finishReason }
}

const WRITTEN = {
  query: 'braid',
  limit: null,
  where: [
    { site: 'a.test', deep: null },
    { site: null, deep: true },
  ],
  lang: null,
}
const MEANT = {
  query: 'braid',
  where: [{ site: 'a.test' }, { deep: true }],
  lang: null,
}

describe('the arguments of a call by a strict schema', () => {
  it('reach the tool without the nulls that stand for what is absent', async () => {
    const { result, asked } = await outcomeOf([calling(WRITTEN), offering(SEARCH)])
    expect(result).to.deep.include({ output: { got: MEANT } })
    expect(asked, 'the words of the model stay').to.deep.include({ input: WRITTEN })
  })

  it('reach the tool of a caller so too, and one of an opened config', async () => {
    const got: unknown[] = []
    const execute = (input: unknown) => void got.push(input)
    const brought = { name: 't0', description: 'Acts', input_schema: SEARCH, execute }
    await outcomeOf([calling(WRITTEN)], [brought])
    expect(got).to.deep.equal([MEANT])
    await using host = await createHost({ plugins: [calling(WRITTEN), offering(SEARCH)] })
    const opened = await host.open()
    const call = { type: 'tool-call', callId: 'c1', name: 't0', input: WRITTEN } as const
    expect(await opened.execute(call)).to.deep.include({ output: { got: MEANT } })
    expect(await opened.faultOf(call)).to.equal(undefined)
    opened.end()
  })

  it('are held to the tool’s own schema as they are meant, and refused with its fault', async () => {
    const { result } = await outcomeOf([calling({ ...WRITTEN, query: '' }), offering(SEARCH)])
    expect(result).to.include({ isError: true })
    expect(String(result?.output)).to.include('/query')
  })

  it('keep their nulls where the schema that was sent is not strict', async () => {
    const limited = { ...SEARCH, additionalProperties: { type: 'string' } }
    for (const plugins of [
      [calling(WRITTEN, 'json-schema'), offering(SEARCH)],
      [calling(WRITTEN), offering(limited)],
    ]) {
      const { result } = await outcomeOf(plugins)
      expect(result).to.include({ isError: true })
      expect(String(result?.output)).to.include('/limit')
    }
  })

  it('go to a client as they are written: its tool is strict only where that needs no null', async () => {
    const seen: unknown[] = []
    const watching = {
      ...calling({ query: 'braid' }),
      init: ({ tools }: Config) => {
        seen.push(tools)
        return {}
      },
    }
    const bring = (input_schema: object): CallerTool => ({
      name: 't0',
      description: 'Acts',
      input_schema,
    })
    const { finishReason, asked } = await outcomeOf([watching], [bring(SEARCH)])
    expect(finishReason).to.equal('tool-calls')
    expect(asked).to.deep.include({ input: { query: 'braid' } })
    expect(seen).to.deep.equal([[{ ...bring(SEARCH), strict: false }]])
    const nullable = {
      ...SEARCH,
      properties: { query: { type: 'string' }, lang: { type: ['string', 'null'] } },
    }
    await outcomeOf([watching], [bring(nullable)])
    const [held] = seen.at(-1) as [JsonObject]
    expect(held).to.deep.include({ strict: true })
    expect((held['input_schema'] as JsonObject)['required']).to.deep.equal(['query', 'lang'])
  })
})
