import type { Context, Tool } from '../../../src/plugin/index.ts'
import type { Planted } from './planted.ts'

const ADD = {
  name: 'add',
  description: 'Adds two numbers.',
  input_schema: {
    type: 'object',
    properties: {
      a: { type: 'number', description: 'The first number.' },
      b: { type: 'number', description: 'The second number.', default: 1 },
    },
    required: ['a'],
    additionalProperties: false,
  },
  output_schema: { type: 'number' },
  safety: { is_read_only: true, is_concurrency_safe: true, is_idempotent: true },
} as const

interface Numbers {
  readonly a: number
  readonly b?: number
}
interface Call {
  readonly input: Numbers
}

/** A correct tool. */
export const TOOL = {
  kind: 'tool',
  name: 'sums',
  init: () => ({ plus: 0 }),
  getToolSchemas: () => [ADD],
  executeTool: async ({ input }) => {
    const { a, b = 1 } = input as Numbers
    await new Promise((resolve) => setImmediate(resolve))
    return a + b
  },
} as const satisfies Tool

export const TOOL_OPTIONS = {
  calls: [
    { name: 'add', input: { a: 1, b: 2 } },
    { name: 'add', input: { a: 3 } },
  ],
}

type Correct = typeof TOOL

const withSchema = (change: object) => (correct: Correct) => ({
  ...correct,
  getToolSchemas: () => [{ ...ADD, ...change }],
})
const withExecution = (executeTool: (call: Call, state: unknown, context: Context) => unknown) => {
  return (correct: Correct) => ({ ...correct, executeTool })
}
const { a, b } = ADD.input_schema.properties
const held = { a: 0, calls: 0 }

/** Tools with one bug each. */
export const TOOLS: readonly Planted<Correct>[] = [
  {
    bug: 'no tool at all',
    caught: ['offers tools with usable schemas', 'has schemas that the calls of the test fit'],
    plant: (correct) => ({ ...correct, getToolSchemas: () => [] }),
  },
  {
    bug: 'a name that no model API allows',
    caught: ['names its tools as model APIs allow'],
    plant: (correct) => ({
      ...correct,
      getToolSchemas: () => [ADD, { ...ADD, name: 'add two numbers!' }],
    }),
  },
  {
    bug: 'a tool without a description',
    caught: ['says what each of its tools does'],
    plant: withSchema({ description: '' }),
  },
  {
    bug: 'an argument without a description',
    caught: ['says what each argument is for'],
    plant: withSchema({
      input_schema: { ...ADD.input_schema, properties: { a: { type: 'number' }, b } },
    }),
  },
  {
    bug: 'a required argument that it does not have',
    caught: ['requires only arguments that it has', 'has schemas that the calls of the test fit'],
    plant: withSchema({ input_schema: { ...ADD.input_schema, required: ['a', 'c'] } }),
  },
  {
    bug: 'a default that its schema refuses',
    caught: ['has defaults of arguments that their schemas accept'],
    plant: withSchema({
      input_schema: { ...ADD.input_schema, properties: { a, b: { ...b, default: 'one' } } },
    }),
  },
  {
    bug: 'a default that a definition of its schema refuses',
    caught: ['has defaults of arguments that their schemas accept'],
    plant: withSchema({
      input_schema: {
        ...ADD.input_schema,
        $defs: { amount: { type: 'number' } },
        properties: { a, b: { $ref: '#/$defs/amount', description: 'A number.', default: 'one' } },
      },
    }),
  },
  {
    bug: 'safety that contradicts itself',
    caught: ['says of its tools only what can be'],
    plant: withSchema({ safety: { ...ADD.safety, is_destructive: true } }),
  },
  {
    bug: 'tools that change',
    caught: ['offers the same tools each time it is asked'],
    plant: (correct) => ({
      ...correct,
      getToolSchemas: () => [
        { ...ADD, output_schema: { type: 'number', maximum: 1e6 + held.calls++ } },
      ],
    }),
  },
  {
    bug: 'a state that is no JSON',
    caught: ['has a state that is JSON'],
    plant: (correct) => ({ ...correct, init: () => ({ plus: new Date(0) }) }),
  },
  {
    bug: 'a call that fails',
    caught: ['answers its tool calls'],
    plant: withExecution(() => {
      throw new Error('no numbers today')
    }),
  },
  {
    bug: 'a result of another type than its schema says',
    caught: ['answers as its output schemas say'],
    plant: withExecution(({ input }) => `${input.a + (input.b ?? 1)}`),
  },
  {
    bug: 'an empty result',
    caught: ['answers as its output schemas say', 'answers its tool calls with something'],
    plant: withExecution(() => ''),
  },
  {
    bug: 'arguments changed in place',
    caught: ['leaves the arguments of executeTool as they are'],
    plant: withExecution(({ input }) => {
      Object.assign(input, { b: 2 })
      return input.a
    }),
  },
  {
    bug: 'arguments changed by a tool that yields its results',
    caught: ['leaves the arguments of executeTool as they are'],
    plant: withExecution(async function* ({ input }) {
      yield await Promise.resolve(Object.assign(input, { b: 2 }).b)
    }),
  },
  {
    bug: 'a value of a call that is kept in the module',
    caught: ['keeps 20 calls at once apart'],
    plant: withExecution(async ({ input }) => {
      held.a = input.a
      await new Promise((resolve) => setImmediate(resolve))
      return held.a + (input.b ?? 1)
    }),
  },
  {
    bug: 'a result that counts its calls',
    caught: ['keeps 20 calls at once apart', 'answers a call that only reads the same each time'],
    plant: withExecution(() => held.calls++),
  },
  {
    bug: 'a wait that a cancelled call does not end',
    caught: ['ends a tool call that is cancelled'],
    plant: withExecution(async ({ input }, _state, { signal }) => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return signal.aborted ? new Promise(() => undefined) : input.a + (input.b ?? 1)
    }),
  },
]
