import type { RunEvent, RunEventBody } from '@braidwork/plugin'
import { expect } from 'chai'
import { McpAnswer, McpProgressView } from '../../../../src/server/wire/mcp/index.ts'

/** The events of a run, each a second after the one before. */
function events(...bodies: readonly object[]): readonly RunEvent[] {
  return bodies.map((body, seq) => ({
    ...(body as RunEventBody),
    runId: 'r',
    seq,
    at: seq * 1000,
  }))
}

function resultOf(isJson: boolean, ...bodies: readonly object[]) {
  const answer = new McpAnswer()
  for (const event of events(...bodies)) answer.add(event)
  return answer.result({ runId: 'r', conversationId: 'c' }, isJson)
}

const step = (number: number) => ({ type: 'step-start', step: number, requestId: 'q' })
const text = (delta: string) => ({ type: 'text-delta', id: 't', delta })
const ABOUT = { 'braidwork/run': 'r', 'braidwork/conversation': 'c' }

describe('the result of an agent by MCP', () => {
  it('is the text of the last step that has one', () => {
    const { content } = resultOf(
      false,
      step(1),
      text('Let me look.'),
      step(2),
      text('4'),
      text('2'),
    )
    expect(content).to.deep.equal([{ type: 'text', text: '42' }])
    expect(resultOf(false, step(1), text('Done.'), step(2)).content).to.deep.equal([
      { type: 'text', text: 'Done.' },
    ])
    expect(resultOf(false, step(1))).to.deep.equal({ content: [], _meta: ABOUT })
  })

  it('leaves out what a step that starts again had written', () => {
    const file = { type: 'file', mediaType: 'image/png', data: 'AAAA' }
    const reset = { type: 'step-reset', step: 1, reason: 'again' }
    const { content } = resultOf(false, step(1), text('No'), file, reset, text('Yes'))
    expect(content).to.deep.equal([{ type: 'text', text: 'Yes' }])
  })

  it('has files of each kind, and sources, unless nobody should follow them', () => {
    const { content } = resultOf(
      false,
      step(1),
      { type: 'file', mediaType: 'image/png', data: 'AAAA' },
      { type: 'file', mediaType: 'audio/wav', data: 'BBBB' },
      { type: 'file', mediaType: 'application/pdf', data: 'CCCC', name: 'a b.pdf' },
      { type: 'file', mediaType: 'text/csv', url: 'https://files.example/a.csv', name: 'a.csv' },
      { type: 'source', url: 'https://pages.example/', title: 'Page' },
      { type: 'source', url: 'javascript:alert(1)', title: 'Bad' },
    )
    expect(content).to.deep.equal([
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'audio', data: 'BBBB', mimeType: 'audio/wav' },
      {
        type: 'resource',
        resource: { uri: 'file:///a%20b.pdf', mimeType: 'application/pdf', blob: 'CCCC' },
      },
      {
        type: 'resource_link',
        uri: 'https://files.example/a.csv',
        name: 'a.csv',
        mimeType: 'text/csv',
      },
      { type: 'resource_link', uri: 'https://pages.example/', name: 'Page' },
    ])
  })

  for (const [name, uri] of Object.entries({
    'demo://resource/dynamic/blob/1': 'demo://resource/dynamic/blob/1',
    'file:///srv/a%20b.bin?x#y': 'file:///srv/a%20b.bin?x#y',
    'urn:isbn:0451450523': 'urn:isbn:0451450523',
    'demo://a b': 'file:///demo%3A%2F%2Fa%20b',
    'C:a.bin': 'file:///C%3Aa.bin',
    'javascript://x%0aalert(1)': 'file:///javascript%3A%2F%2Fx%250aalert(1)',
    'data:text/html,x': 'file:///data%3Atext%2Fhtml%2Cx',
  }))
    it(`has a file under its own URI, if its name is one: ${name}`, () => {
      const file = { type: 'file', mediaType: 'application/x', data: 'AAAA', name }
      expect(resultOf(false, step(1), file).content).to.deep.equal([
        { type: 'resource', resource: { uri, mimeType: 'application/x', blob: 'AAAA' } },
      ])
    })

  it('has the JSON of an agent that answers in JSON, if it is an object', () => {
    expect(resultOf(true, step(1), text('{"a":1}')).structuredContent).to.deep.equal({ a: 1 })
    for (const other of ['[1]', '{"a":', 'word']) {
      expect(resultOf(true, step(1), text(other))).to.not.have.property('structuredContent')
    }
    expect(resultOf(false, step(1), text('{"a":1}'))).to.not.have.property('structuredContent')
  })

  it('is an error if the run failed or was stopped, without inner details', () => {
    const secret = { code: 'HOOK_FAILED', message: 'at secret.ts' }
    expect(resultOf(false, step(1), text('a'), { type: 'error', error: secret })).to.deep.equal({
      content: [{ type: 'text', text: 'The server failed to process the request.' }],
      isError: true,
      _meta: { ...ABOUT, code: 'HOOK_FAILED' },
    })
    expect(resultOf(false, step(1), { type: 'abort', reason: 'stop' })).to.deep.include({
      content: [{ type: 'text', text: 'The run was stopped.' }],
      isError: true,
    })
  })
})

describe('progress by MCP', () => {
  it('grows with each message, and says what the agent does', () => {
    const view = new McpProgressView()
    const start = { type: 'tool-execution-start', callId: 'x', name: 'find', input: { key: 'k' } }
    const told = events(
      step(1),
      start,
      { type: 'tool-execution-progress', callId: 'x', progress: { done: 3 } },
      { type: 'tool-execution-progress', callId: 'x', progress: 'a'.repeat(600) },
      text('ab'),
      text('c'),
    ).flatMap((event) => view.add(event) ?? [])
    expect(told.map(({ progress }) => progress)).to.deep.equal([1, 2, 3, 4, 5, 6])
    expect(told.map(({ message }) => message)).to.deep.equal([
      'Step 1',
      'The agent calls "find"',
      '{"done":3}',
      `${'a'.repeat(500)}…`,
      'The agent writes: 2 characters',
      'The agent writes: 3 characters',
    ])
  })

  it('is not told of each piece of an answer', () => {
    const view = new McpProgressView()
    const pieces = events(...Array.from({ length: 50 }, () => text('ab')))
    const told = pieces.flatMap((event) => view.add({ ...event, at: event.seq * 100 }) ?? [])
    expect(told).to.have.lengthOf(5)
  })
})
