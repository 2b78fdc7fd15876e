import { type } from 'arktype'
import { expect } from 'chai'
import { z } from 'zod'
import { createRuntime, run, tool } from '../../src/agent/index.ts'
import type { CallerTool } from '../../src/core/index.ts'
import { HostError } from '../../src/plugin/errors.ts'
import { collect, scriptedHost } from '../helpers/hosts.ts'
import { tool as pluginTool, schema } from '../helpers/plugins.ts'

const JSON_SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
} as const

/** As TypeBox types a schema: without an index signature. */
interface ObjectSchema {
  type: 'object'
  properties: { city: { type: 'string' } }
  required: string[]
}

/** As `@types/json-schema` types a schema. */
interface WrittenSchema {
  type?: 'object' | 'string' | ('object' | 'string')[]
  properties?: { [name: string]: WrittenSchema | boolean }
}

/** The result of one call of a tool in a run. */
async function resultOf(own: CallerTool, input: object): Promise<readonly unknown[]> {
  await using host = await scriptedHost()
  const call = { tool_calls: [{ name: own.name, input }] }
  const script = [{ when: { step: 1 }, then: call }, { then: { text: 'Done.' } }]
  const config = { settings: { scripted: { script } } }
  const events = await collect(run(host, { messages: 'go', config, tools: [own] }))
  return events.flatMap((event) =>
    event.type === 'tool-execution-end' ? [event.state, event.result.output] : [],
  )
}

describe('a tool of the caller', () => {
  const named = { name: 'weather', description: 'The weather of a city.' }

  it('has the arguments of a zod schema, with their types, defaults and transformations', async () => {
    const weather = tool({
      ...named,
      input: z.object({ city: z.string(), days: z.number().default(2) }),
      execute: ({ city, days }) => `${city.toUpperCase()} ${days.toFixed(1)}`,
    })
    expect(weather.input_schema).to.deep.include({ type: 'object', required: ['city'] })
    expect(await resultOf(weather, { city: 'Rome' })).to.deep.equal(['succeeded', 'ROME 2.0'])
  })

  it('has the arguments of an arktype schema', async () => {
    const weather = tool({
      ...named,
      input: type({ city: 'string' }),
      execute: ({ city }) => city.length,
    })
    expect(await resultOf(weather, { city: 'Rome' })).to.deep.equal(['succeeded', 4])
  })

  it('has the arguments of a JSON Schema', async () => {
    const weather = tool({ ...named, input: JSON_SCHEMA, execute: ({ city }) => `${city}!` })
    expect(weather.input_schema).to.equal(JSON_SCHEMA)
    expect(await resultOf(weather, { city: 'Rome' })).to.deep.equal(['succeeded', 'Rome!'])
  })

  it('is one for a runtime by its type, if it has execute', async () => {
    const definition = { ...named, input: { type: 'object' } } as const
    await using host = await scriptedHost()
    const runtime = await createRuntime({ host })
    // `npm run types` is the test here.
    runtime.addTool(tool({ ...definition, execute: () => 'sunny' }))
    const ofClient = tool({ ...definition, name: 'forecast' })
    // @ts-expect-error A client runs the calls of this tool.
    expect(() => runtime.addTool(ofClient)).to.throw('has no "execute"')
  })

  it('has the types of a JSON Schema that is written in it', () => {
    tool({
      ...named,
      input: {
        type: 'object',
        properties: {
          city: { type: 'string' },
          days: { type: 'integer', default: 2 },
          unit: { enum: ['C', 'F'] },
          default: { type: 'array', items: { type: 'boolean' } },
        },
        required: ['city'],
      },
      // `npm run types` is the test here.
      execute: ({ city, days, unit, default: all, ...others }) => {
        const typed: [string, number | undefined, 'C' | 'F' | undefined, object] = [
          city,
          days,
          unit,
          others,
        ]
        // @ts-expect-error A default is for the model: the argument may be absent.
        const sure: number = days
        const listed: readonly boolean[] | undefined = all
        return [typed, sure, listed]
      },
    })
    // @ts-expect-error The schema has no such property.
    tool({ ...named, input: JSON_SCHEMA, execute: ({ town }) => town })
    tool({ ...named, input: { type: 'object' }, execute: ({ any }) => any })
    // @ts-expect-error The arguments are an object.
    expect(() => tool({ ...named, input: { type: 'string' } })).to.throw('a schema of an object')
    // @ts-expect-error The type is missing.
    tool({ ...named, input: { properties: {} } })
  })

  it('takes a JSON Schema whose type is an interface, such as one of TypeBox', async () => {
    const made: ObjectSchema = { ...JSON_SCHEMA, required: [...JSON_SCHEMA.required] }
    const weather = tool({ ...named, input: made, execute: ({ city }) => `${city}!` })
    expect(await resultOf(weather, { city: 'Rome' })).to.deep.equal(['succeeded', 'Rome!'])
    const written: WrittenSchema = made
    // `npm run types` is the test here.
    const own: CallerTool = { ...named, input_schema: written }
    expect(tool({ ...named, input: written, execute: ({ city }) => city })).to.include(own)
  })

  it('is refused with unknown and without needed members', () => {
    const input = JSON_SCHEMA
    const execute = () => 1
    const faults = [
      [{ ...named, inputSchema: input, execute }, '/inputSchema', 'It takes name, description'],
      [{ ...named, parameters: input, execute }, '/parameters', '"weather" has no option'],
      [{ ...named, input, run: execute }, '/run', 'input, execute'],
      [{ ...named, input, excute: execute }, '/excute', 'Did you mean "execute"?'],
      [{ ...named, execute }, '/input', 'needs "input"'],
      [{ ...named, input, execute: 'now' }, '/execute', 'a function'],
      [{ ...named, input: { type: 'string' }, execute }, '/input', 'it has the type "string"'],
      [{ name: 'weather', input, execute }, '/description', 'a text'],
      [{ description: 'x', input, execute }, '/name', 'A tool needs "name"'],
    ] as const
    for (const [definition, pointer, told] of faults) {
      let error: unknown
      try {
        tool(definition as never)
      } catch (thrown) {
        error = thrown
      }
      expect(error, pointer).to.include({ code: 'OPTION_INVALID', pointer })
      expect(String(error)).to.include(told)
    }
  })

  it('does not run with arguments that break the schema', async () => {
    let ran = 0
    const weather = tool({ ...named, input: z.object({ city: z.string() }), execute: () => ran++ })
    const [state, said] = await resultOf(weather, { city: 1 })
    expect(state).to.equal('validation_failed')
    expect(said).to.include('/city')
    expect(ran).to.equal(0)
  })

  it('tells the model what only the library checks', async () => {
    const even = z.object({ n: z.number().refine((n) => n % 2 === 0, 'must be even') })
    const halve = tool({ ...named, input: even, execute: ({ n }) => n / 2 })
    expect(await resultOf(halve, { n: 4 })).to.deep.equal(['succeeded', 2])
    const [state, said] = await resultOf(halve, { n: 3 })
    expect(state).to.equal('validation_failed')
    expect(said).to.equal('The arguments of "weather" are not valid at /n: must be even')
  })

  it('says by the code of its error what went wrong, as a tool of a plugin does', async () => {
    const facts = { code: 'RATE_LIMITED', retryAfter: 7, retryable: true }
    const refused = { code: 'ECONNREFUSED' }
    const told = async (thrown: object) => {
      const execute = () => {
        throw Object.assign(new Error('slow down'), thrown)
      }
      const weather = tool({ ...named, input: JSON_SCHEMA, execute })
      const plugin = pluginTool('other', {
        getToolSchemas: () => [schema('other')],
        executeTool: execute,
      })
      await using host = await scriptedHost([plugin])
      const calls = [{ name: 'weather', input: { city: 'Rome' } }, { name: 'other' }]
      const script = [{ when: { step: 1 }, then: { tool_calls: calls } }, { then: { text: 'ok' } }]
      const config = { settings: { scripted: { script } } }
      const events = await collect(run(host, { messages: 'go', config, tools: [weather] }))
      const ends = events.filter((event) => event.type === 'tool-execution-end')
      return ends.map(({ error }) => error)
    }
    const [own, other] = await told(facts)
    expect(own).to.include({ class: 'rate_limited', retryable: true, retryAfter: 7 })
    expect(own).to.deep.equal(other)
    expect((await told(refused)).map((error) => error?.class)).to.deep.equal([
      'dependency_unavailable',
      'dependency_unavailable',
    ])
  })

  it('is the client’s to run where it has no function', () => {
    expect(tool({ ...named, input: JSON_SCHEMA })).not.to.have.property('execute')
    expect(tool({ ...named, input: z.object({}) })).not.to.have.property('execute')
  })

  it('keeps its safety', () => {
    const safety = { is_read_only: true }
    expect(tool({ ...named, input: JSON_SCHEMA, safety }).safety).to.equal(safety)
  })

  it('is refused where its schema has no JSON Schema, and the error names it', () => {
    const make = () => tool({ ...named, input: z.object({ at: z.date() }) })
    expect(make)
      .to.throw(HostError, /"weather" cannot be exported as JSON Schema/)
      .with.property('code', 'TOOL_SCHEMA_INVALID')
  })
})
