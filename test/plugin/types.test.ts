import { type } from 'arktype'
import { expect } from 'chai'
import { z } from 'zod'
import {
  defineExtension,
  defineFeature,
  defineProvider,
  defineTool,
  type Extension,
  type Feature,
  type Message,
  type PartialEvent,
  type Plugin,
  type Provider,
  type SettingsOf,
  type State,
  type Tool,
  type ToolSchema,
} from '../../src/plugin/index.ts'

interface Depth {
  readonly depth: number
}

interface Weather {
  readonly sky: string
}

/** As TypeBox types a schema: without an index signature. */
interface ObjectSchema {
  type: 'object'
  properties: { depth: { type: 'integer' } }
}

/** As `@types/json-schema` types a schema. */
interface WrittenSchema {
  type?: 'object' | 'string' | ('object' | 'string')[]
  properties?: { [name: string]: WrittenSchema | boolean }
}

// `npm run types` is the test here: it refuses a line that is wrong, and an expected error that is none.
describe('the types of plugins', () => {
  it('take JSON Schemas whose types are interfaces, such as those of TypeBox', () => {
    const written: WrittenSchema = { type: 'object' }
    const made: ObjectSchema = { type: 'object', properties: { depth: { type: 'integer' } } }
    const schemas = [
      { name: 'dig', description: 'Digs.', input_schema: made, output_schema: written },
      { name: 'fill', description: 'Fills.', input_schema: written, output_schema: made },
    ] satisfies ToolSchema[]
    const extension = { kind: 'extension', name: 'e', configSchema: made } satisfies Extension
    const tool = {
      kind: 'tool',
      name: 't',
      configSchema: () => written,
      getToolSchemas: () => schemas,
      executeTool: () => 1,
    } satisfies Tool
    const feature = defineFeature({
      kind: 'feature',
      name: 'f',
      configSchema: made,
      editMessages: (messages, _state, { settings }) => {
        const depth: number | undefined = settings.depth
        return depth === undefined ? messages : []
      },
    })
    expect([extension, tool, feature].map(({ name }) => name)).to.deep.equal(['e', 't', 'f'])
    // @ts-expect-error A list is no schema.
    const list = { name: 'x', description: 'y', input_schema: [made] } satisfies ToolSchema
    // @ts-expect-error A text is no schema.
    const text = { kind: 'extension', name: 'e', configSchema: 'object' } satisfies Extension
    expect([list.name, text.name]).to.deep.equal(['x', 'e'])
  })

  it('take a state and a result that are interfaces, and a list as a result', () => {
    const tool = {
      kind: 'tool',
      name: 'digger',
      init: () => ({ depth: 3 }),
      executeTool: async ({ name }, state): Promise<Weather | number[]> =>
        name === 'weather' ? { sky: 'grey' } : [state.depth],
    } satisfies Tool<Depth>
    const provider = {
      kind: 'provider',
      name: 'parrot',
      init: () => ({ depth: 3 }),
      call: (native, state) => [[], [native.length + state.depth], native, state],
    } satisfies Provider<string, Depth>
    expect([tool.kind, provider.kind]).to.deep.equal(['tool', 'provider'])
  })

  it('let a plugin with interfaces of its own be one of any kind', () => {
    const provider: Provider<Weather, Depth, Weather, Depth> = {
      kind: 'provider',
      name: 'parrot',
      init: () => ({ depth: 3 }),
      toNative: (_messages, state, { settings }) => ({ sky: String(state.depth + settings.depth) }),
      stream: ({ sky }) => [{ sky }],
      processChunk: ({ sky }, native, state) => [[sky], [], native, state],
    }
    const extension: Extension<Weather, Depth, Weather, Depth> = {
      kind: 'extension',
      name: 'echo',
      init: (_config, _state, { settings }) => settings,
      finalize: (finals, native, state) => [finals, { sky: native.sky }, { depth: state.depth }],
    }
    const feature: Feature<Weather, Depth, Depth> = { kind: 'feature', name: 'deep' }
    const tool: Tool<Depth, Depth> = { kind: 'tool', name: 'digger', init: () => ({ depth: 3 }) }
    const plugins: readonly Plugin[] = [provider, extension, feature, tool]
    // @ts-expect-error a tool answers no requests
    const wrong: Plugin = { kind: 'tool', name: 'digger', call: () => [[], [], {}, {}] }
    // @ts-expect-error a hook answers with what it should
    const other: Plugin = { kind: 'tool', name: 'digger', getToolSchemas: () => 7 }
    expect([...plugins, wrong, other].map(({ kind }) => kind)).to.have.length(6)
  })

  it('tell an event from a message by its type', () => {
    const extension = {
      kind: 'extension',
      name: 'quiet',
      fromNative: (_natives, core) =>
        core.map((item) => ('type' in item ? item : { ...item, parts: item.parts.slice(0, 1) })),
    } satisfies Extension
    expect(extension.kind).to.equal('extension')
  })

  it('tell what `fromNative` hands on by `type` and by `role`, without a cast', () => {
    const told = (value: Message | PartialEvent): string => {
      if (value.type === 'text-delta') return value.delta
      if (value.type === 'source') return value.title ?? ''
      if (value.type !== undefined) return value.type
      return `${value.role} ${value.parts.length}`
    }
    const roleOf = (value: Message | PartialEvent): string =>
      value.role === undefined ? value.type : value.role
    const message = { role: 'user', parts: [] } satisfies Message
    const all: readonly (Message | PartialEvent)[] = [
      message,
      { type: 'text-delta', id: '1', delta: 'a' },
      { type: 'source', title: 'b' },
      { type: 'text-end', id: '1' },
    ]
    expect(all.map(told)).to.deep.equal(['user 0', 'a', 'b', 'text-end'])
    expect(all.map(roleOf)).to.deep.equal(['user', 'text-delta', 'source', 'text-end'])
    // @ts-expect-error a message has no type
    expect({ ...message, type: 'text' } satisfies Message).to.have.property('type')
  })

  it('refuse what the check at load and the host refuse', () => {
    const wrong = [
      // @ts-expect-error neither call nor stream
      { kind: 'provider', name: 'mute' } satisfies Provider,
      // @ts-expect-error a misspelled hook
      { kind: 'extension', name: 'a', procesChunk: () => [] } satisfies Extension,
      // @ts-expect-error a hook of another kind
      { kind: 'feature', name: 'b', processChunk: () => [] } satisfies Feature,
      // @ts-expect-error a text is no list of tags
      { kind: 'feature', name: 'c', getTags: () => 'text' } satisfies Feature,
      // @ts-expect-error native alone, without the state
      { kind: 'extension', name: 'd', initializeRequest: (native) => native } satisfies Extension,
    ]
    expect(wrong).to.have.length(5)
  })
})

const SETTINGS = {
  type: 'object',
  properties: {
    mode: { enum: ['fast', 'good'], default: 'fast' },
    words: { type: 'array', items: { type: 'string' } },
    inner: { type: 'object', properties: { at: { type: ['integer', 'null'] } }, required: ['at'] },
    any: {},
  },
  required: ['inner'],
} as const

/** Is an error where the type of the value is another one, also where it is `any`. */
function isExactly<Expected>() {
  return <Value>(
    value: Value,
    ..._same: [Expected, Value] extends [Value, Expected]
      ? 0 extends 1 & Value
        ? [never]
        : []
      : [never]
  ): Value => value
}

describe('the types of settings', () => {
  it('follow a JSON Schema', () => {
    const extension = {
      kind: 'extension',
      name: 'typed',
      configSchema: SETTINGS,
      init(_config, state, { settings }) {
        isExactly<'fast' | 'good'>()(settings.mode)
        isExactly<readonly string[] | undefined>()(settings.words)
        isExactly<number | null>()(settings.inner.at)
        isExactly<unknown>()(settings.any)
        // @ts-expect-error no such setting
        expect(settings.other).to.equal(undefined)
        return state
      },
    } satisfies Extension<unknown, State, unknown, SettingsOf<typeof SETTINGS>>
    expect(extension.kind).to.equal('extension')
  })

  it('follow a schema that a helper is given, of a library or not', () => {
    const plugins: Plugin[] = [
      defineFeature({
        kind: 'feature',
        name: 'a',
        configSchema: z.object({ size: z.number().default(3), at: z.string().transform(Number) }),
        editMessages(messages, _state, { settings }) {
          isExactly<number>()(settings.size)
          isExactly<number>()(settings.at)
          return messages
        },
        runStart(_run, { settings }) {
          isExactly<number>()(settings.size)
          return undefined
        },
      }),
      defineTool({
        kind: 'tool',
        name: 'b',
        configSchema: type({ mode: "'fast' | 'good'" }),
        executeTool: (_call, _state, { settings }) => isExactly<'fast' | 'good'>()(settings.mode),
      }),
      defineExtension({
        kind: 'extension',
        name: 'c',
        configSchema: { type: 'object', properties: { on: { type: 'boolean', default: true } } },
        finalize: (finals, native, state, { settings }) => {
          isExactly<boolean>()(settings.on)
          return [finals, native, state]
        },
      }),
      defineProvider({
        kind: 'provider',
        name: 'd',
        configSchema: { type: 'object', properties: { level: { const: 3 } } },
        call: (native, state, { settings }) => {
          isExactly<3 | undefined>()(settings.level)
          return [[], [], native, state]
        },
      }),
      defineTool({
        kind: 'tool',
        name: 'e',
        executeTool: (_call, _state, { settings }) => {
          isExactly<unknown>()(settings['any'])
          return null
        },
      }),
    ]
    expect(plugins.map(({ name }) => name)).to.deep.equal(['a', 'b', 'c', 'd', 'e'])
  })

  it('refuse a helper with a wrong plugin', () => {
    // @ts-expect-error a misspelled hook
    expect(defineFeature({ kind: 'feature', name: 'x', editMesages: () => [] }).name).to.equal('x')
  })
})
