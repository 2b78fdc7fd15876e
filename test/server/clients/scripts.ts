import type { PublishedModels } from '../../../src/server/index.ts'

/** What the server of these tests says, by what it is asked. */
const SCRIPT = [
  { when: { text: 'count' }, then: { text: numbers(60), chunks: 6 } },
  { when: { text: 'calculate' }, then: calls('calculate', { expression: '6 * 7' }) },
  {
    when: { text: 'twice', step: 1 },
    then: {
      text: 'Both?',
      tool_calls: ['6 * 7', '1 + 1'].map((expression) => ({
        name: 'calculate',
        input: { expression },
      })),
    },
  },
  { when: { text: 'locate' }, then: calls('locate', { city: 'Rome' }) },
  { when: { text: 'patch' }, then: calls('patch', { input: '+a "b"\n' }) },
  { when: { text: 'books' }, then: calls('mcp__books__find', { title: 'Emma' }) },
  { when: { tool: 'patch' }, then: { text: 'It is {{result.patch}}.' } },
  { when: { tool: 'mcp__books__find' }, then: { text: 'Found: {{result.mcp__books__find}}.' } },
  {
    when: { text: 'both' },
    then: {
      reasoning: 'Two things.',
      tool_calls: [
        { name: 'calculate', input: { expression: '6 * 7' } },
        { name: 'locate', input: { city: 'Rome' } },
      ],
    },
  },
  { when: { tool: 'calculate' }, then: { text: 'It is {{result.calculate}}.' } },
  { when: { tool: 'locate' }, then: { text: 'Rome is at {{result.locate}}.' } },
  { when: { text: 'overload' }, then: { fault: 'overloaded' } },
  {
    when: { text: 'break' },
    then: { text: numbers(10), chunks: 6, fault: { type: 'cut', after_chunks: 3 } },
  },
  { then: { reasoning: 'A greeting.', text: 'You said: {{user}}' } },
]

/** What is counted, at most. */
export const COUNTED = numbers(60)

const MODELS: PublishedModels = {
  quick: { title: 'Quick' },
  slow: { config: { settings: { scripted: { delay_ms: 25 } } } },
  careful: {
    config: { tool_policy: { calculate: 'ask' }, settings: { scripted: { delay_ms: 10 } } },
  },
}

/** The same, with a slow model whose whole answer takes less than a second, for tests that wait for its end. */
export const BRISK: PublishedModels = {
  ...MODELS,
  slow: { config: { settings: { scripted: { delay_ms: 8 } } } },
}

/** A server with a model that answers at once, one that takes its time, and one that asks before it calculates. */
export const SERVED = {
  plugins: ['@braidwork/provider-scripted', '@braidwork/tool-calculator', '@braidwork/tool-clock'],
  provider: 'scripted',
  settings: { scripted: { script: SCRIPT, delay_ms: 0 } },
  server: {
    models: MODELS,
  },
}

function calls(name: string, input: object): object {
  return { reasoning: 'I call it.', tool_calls: [{ name, input }] }
}

function numbers(most: number): string {
  return Array.from({ length: most }, (_, at) => `number ${at + 1}`).join(', ')
}
