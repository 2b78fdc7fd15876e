import { expect } from 'chai'
import fc from 'fast-check'
import type { PartialEvent, ToolCallPart } from '../../../../src/plugin/events/index.ts'
import type { RunFacts } from '../../../../src/server/wire/protocol.ts'
import { decodeResponses } from '../../../../src/server/wire/responses/index.ts'
import { customInput, flatName } from '../../../../src/server/wire/tool-words.ts'
import { anyText } from '../../../helpers/arbitraries.ts'
import { answerOf, framesOf, RESPONSES } from '../api-protocols.ts'
import { sseFrames } from '../frames.ts'
import { factsOf, runOf } from '../runs.ts'

const PARAMETERS = { type: 'object', properties: { id: { type: 'string' } } }
const GRAMMAR = { type: 'grammar', syntax: 'lark', definition: 'start: "x"' }
const TOOLS = [
  {
    type: 'namespace',
    name: 'mcp__books',
    description: 'A library.',
    tools: [
      { type: 'function', name: 'find', description: 'Finds', parameters: PARAMETERS },
      { type: 'custom', name: 'note' },
    ],
  },
  { type: 'custom', name: 'apply_patch', description: 'Patches', format: GRAMMAR },
  { type: 'function', name: 'plain', parameters: PARAMETERS },
]

const request = (more: object = {}) =>
  decodeResponses({ model: 'm', input: 'hi', tools: TOOLS, ...more })

/** The facts of a run with these tools. */
function facts(): RunFacts {
  const { tools, toolWords } = request()
  const names = tools.map(({ name }) => name)
  return { ...factsOf(...names), ...(toolWords ? { toolWords } : {}) }
}

function call(name: string, text: string, input: unknown): PartialEvent[] {
  return [
    { type: 'tool-call-start', id: 'c1', name },
    ...Array.from(text, (delta): PartialEvent => ({ type: 'tool-call-delta', id: 'c1', delta })),
    { type: 'tool-call-end', id: 'c1', input },
  ]
}

/** The only item of a run with one call, as the stream and as the whole answer have it. */
function itemOf(...given: Parameters<typeof call>): object {
  const run = runOf(call(...given))
  const frames = framesOf(RESPONSES, run, facts()).flatMap((text) => sseFrames(text))
  const { response } = JSON.parse(frames.at(-1)?.data ?? '') as { response: Answer }
  const whole = answerOf(RESPONSES, { model: 'm', input: 'hi' }, run, facts()) as { body: Answer }
  expect(response.output).to.deep.equal(whole.body.output)
  expect(response.output).to.have.length(1)
  return response.output[0]!
}

interface Answer {
  readonly output: readonly object[]
}

describe('tools of a namespace, and custom tools', () => {
  it('are offered as functions, with all that the client says of them', () => {
    const { tools } = request()
    expect(tools.map(({ name }) => name)).to.deep.equal([
      'mcp__books__find',
      'mcp__books__note',
      'apply_patch',
      'plain',
    ])
    expect(tools[0]).to.deep.include({
      description: 'Finds\n\nAbout mcp__books: A library.',
      input_schema: PARAMETERS,
    })
    const patch = JSON.stringify(tools[2])
    expect(patch).to.include('Patches').and.include('lark').and.include('start: \\"x\\"')
    expect(tools[2]?.input_schema).to.deep.include({ type: 'object', required: ['input'] })
  })

  it('are called by the names that the client gave them', () => {
    expect(itemOf('mcp__books__find', '{"id":"7"}', { id: '7' })).to.deep.include({
      type: 'function_call',
      namespace: 'mcp__books',
      name: 'find',
      arguments: '{"id":"7"}',
    })
    const text = '*** Begin\n+x "y"\n'
    const given = { input: text }
    expect(itemOf('apply_patch', JSON.stringify(given), given)).to.deep.include({
      type: 'custom_tool_call',
      call_id: 'c1',
      name: 'apply_patch',
      input: text,
    })
    expect(itemOf('mcp__books__note', '', { input: 'n' })).to.deep.include({
      type: 'custom_tool_call',
      namespace: 'mcp__books',
      name: 'note',
      input: 'n',
    })
  })

  it('get what the model wrote where it wrote no such arguments', () => {
    expect(customInput('plain text')).to.equal('plain text')
    expect(customInput({ patch: 'x' })).to.equal('{"patch":"x"}')
    expect(customInput('{"input":"x"}')).to.equal('x')
    expect(customInput(undefined)).to.equal('')
  })

  it('have a history that names them as the model is shown them', () => {
    const { messages } = request({
      input: [
        {
          type: 'function_call',
          call_id: 'a',
          namespace: 'mcp__books',
          name: 'find',
          arguments: '{}',
        },
        { type: 'function_call_output', call_id: 'a', output: 'found' },
        { type: 'custom_tool_call', call_id: 'b', name: 'apply_patch', input: 'x' },
        { type: 'custom_tool_call_output', call_id: 'b', output: 'done' },
      ],
    })
    const calls = messages.flatMap(({ parts }) => parts.filter(isCall))
    expect(calls.map(({ name, input }) => [name, input])).to.deep.equal([
      ['mcp__books__find', {}],
      ['apply_patch', { input: 'x' }],
    ])
    const results = messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-result' ? [[part.name, part.output]] : [])),
    )
    expect(results).to.deep.equal([
      ['mcp__books__find', 'found'],
      ['apply_patch', 'done'],
    ])
  })

  it('can be required by name', () => {
    const chosen = (tool_choice: object) => request({ tool_choice }).settings.tool_choice
    expect(chosen({ type: 'custom', name: 'apply_patch' })).to.deep.equal({ tool: 'apply_patch' })
    expect(chosen({ type: 'function', namespace: 'mcp__books', name: 'find' })).to.deep.equal({
      tool: 'mcp__books__find',
    })
  })

  it('have names that every model API takes, each its own', () => {
    const names = anyText({ minLength: 1, maxLength: 100 })
    fc.assert(
      fc.property(names, names, (namespace, name) => {
        expect(flatName(namespace, name)).to.match(/^[\w-]{1,64}$/)
      }),
    )
    const long = 'x'.repeat(60)
    expect(flatName(long, 'find')).to.not.equal(flatName(long, 'note'))
    expect(flatName(`mcp__a__`, 'b')).to.equal('mcp__a__b')
    expect(flatName(undefined, 'b')).to.equal('b')
  })
})

function isCall(part: { readonly type: string }): part is ToolCallPart {
  return part.type === 'tool-call'
}
