import { expect } from 'chai'
import type { ToolRecord } from '../../../src/agent/facts/record.ts'
import { ToolRecords } from '../../../src/agent/facts/tool-records.ts'
import type { StoredRun } from '../../../src/agent/index.ts'
import type { RunEventBody } from '../../../src/plugin/events/index.ts'
import { VARIANTS } from './variants.ts'

const RUN: StoredRun = {
  id: 'run',
  owner: 'ada',
  status: 'done',
  order: {},
  startedAt: 0,
  nextSeq: 0,
  legSeq: 0,
}
const ALL: readonly RunEventBody[] = Object.values(VARIANTS).flat()

function recordsOf(bodies: readonly (RunEventBody | undefined)[]): readonly ToolRecord[] {
  const records = new ToolRecords(RUN)
  return bodies
    .flatMap((body) => body ?? [])
    .flatMap((body, seq) => records.add({ ...body, runId: 'run', seq, at: seq * 1000 }))
}

const dataOf = (records: readonly ToolRecord[], kind: string) =>
  records.flatMap((record) => (record.event_type === `tool.${kind}` ? [record.data] : []))

describe('the records of tool calls of a run', () => {
  it('are those of a whole call, with its states and their times', () => {
    const records = recordsOf([
      VARIANTS['tool-call-end'][0],
      VARIANTS['approval-required'][0],
      VARIANTS['approval-resolved'][0],
      VARIANTS['tool-execution-start'][0],
      VARIANTS['tool-execution-progress'][0],
      VARIANTS['tool-execution-end'][0],
    ])
    expect(records.map(({ event_type }) => event_type.replace('tool.', ''))).to.deep.equal([
      'permission_decision',
      'permission_decision',
      'permission_decision',
      'hook',
      'input_mutation',
      'progress',
      'hook',
      'invocation',
      'result',
      'result_persistence',
    ])
    const behaviors = dataOf(records, 'permission_decision').map((data) => Object(data).behavior)
    expect(behaviors).to.deep.equal(['ask', 'allow', 'allow'])
    expect(dataOf(records, 'invocation')[0]).to.deep.include({
      invocation_id: 'c',
      tool_id: 'add',
      status: 'succeeded',
      model_input: { x: 1 },
      status_transitions: [
        { status: 'arguments_ready', at: '1970-01-01T00:00:00.000Z' },
        { status: 'awaiting_approval', at: '1970-01-01T00:00:01.000Z' },
        { status: 'approved', at: '1970-01-01T00:00:02.000Z' },
        { status: 'running', at: '1970-01-01T00:00:03.000Z' },
        { status: 'succeeded', at: '1970-01-01T00:00:05.000Z' },
      ],
      created_at: '1970-01-01T00:00:00.000Z',
      started_at: '1970-01-01T00:00:03.000Z',
      ended_at: '1970-01-01T00:00:05.000Z',
    })
    expect(dataOf(records, 'result_persistence')[0]).to.include({
      strategy: 'preview_and_persist',
      original_size_bytes: 100_000,
    })
    expect(dataOf(records, 'input_mutation')[0]).to.include({ source_ref: 'guard' })
  })

  it('tell of the progress of calls in its order, each under an id of its own', () => {
    const [told] = VARIANTS['tool-execution-progress']
    if (!told) return expect.fail('no progress')
    const records = recordsOf([told, { ...told, callId: 'd', progress: 'half' }])
    const common = { schema_version: '1.0', status: 'running' }
    expect(dataOf(records, 'progress')).to.deep.equal([
      {
        ...common,
        progress_id: 'c/0',
        invocation_id: 'c',
        sequence: 0,
        message: '1',
        timestamp: '1970-01-01T00:00:00.000Z',
      },
      {
        ...common,
        progress_id: 'd/1',
        invocation_id: 'd',
        sequence: 1,
        message: 'half',
        timestamp: '1970-01-01T00:00:01.000Z',
      },
    ])
  })

  it('tell how a call ended that did not succeed', () => {
    const records = recordsOf([VARIANTS['tool-execution-end'][1]])
    expect(dataOf(records, 'invocation')[0]).to.include({ status: 'canceled' })
    expect(dataOf(records, 'result')[0]).to.deep.include({
      is_error: true,
      error: { class: 'canceled', retryable: false },
    })
    expect(dataOf(records, 'result_persistence')[0]).to.include({ strategy: 'inline' })
  })

  it('LT-08 have each tool that is not offered in the surface of the run, with its reason', () => {
    const records = recordsOf(VARIANTS['tool-inventory'])
    expect(dataOf(records, 'tool_surface')[0]).to.deep.include({
      loaded_tools: ['calculator.add'],
      excluded_tools: [
        { tool_id: 'braille', policy: 'unavailable', reason: 'missing tags: braille' },
      ],
      blocked_tools: [
        { tool_id: 'files.write', policy: 'denied', reason: 'The policy denies it.' },
      ],
    })
    const hidden = {
      schema_version: '1.0',
      schema_visibility: 'internal',
      loading_state: 'unavailable',
    }
    expect(dataOf(records, 'deferred_tool')).to.deep.equal([
      {
        ...hidden,
        tool_id: 'braille',
        name: 'braille',
        namespace: 'braille',
        reason: 'missing tags: braille',
      },
      {
        ...hidden,
        tool_id: 'files.write',
        name: 'write',
        namespace: 'caller',
        reason: 'The policy denies it.',
      },
    ])
    const declared = dataOf(records, 'tool_declaration').map((data) => {
      const { namespace, name, lifecycle } = Object(data)
      return [namespace, name, lifecycle]
    })
    expect(declared).to.deep.equal([
      ['calculator', 'add', 'available'],
      ['braille', 'braille', 'disabled'],
      ['caller', 'write', 'disabled'],
    ])
  })

  it('LR-14 have an id of their own each, and the time of their event', () => {
    const records = recordsOf(ALL)
    expect(new Set(records.map(({ event_id }) => event_id)).size).to.equal(records.length)
    for (const { event_id, time } of records) {
      const seq = Number(/^run\/(\d+)\.\d+$/.exec(event_id)?.[1])
      expect(time).to.equal(new Date(seq * 1000).toISOString())
    }
  })
})
