import type { RunEvent, ToolHookRecord, ToolResultPart } from '@braidwork/plugin'
import type { StoredRun } from '../storage/index.ts'
import { catalogRecords } from './catalog-records.ts'
import type { EventOf } from './fact.ts'
import { type RecordDraft, SCHEMA_VERSION, type ToolRecord, timeOf } from './record.ts'

/** A call as far as it is told. */
interface KnownCall {
  readonly createdAt: string
  readonly input: unknown
  startedAt?: string
  readonly transitions: { readonly status: string; readonly at: string }[]
}

/** Turns the events of a run into records of agenttool, one after another, from the first on. */
export class ToolRecords {
  readonly #run: StoredRun
  readonly #calls = new Map<string, KnownCall>()
  #progress = 0

  constructor(run: StoredRun) {
    this.#run = run
  }

  /** Each record is the data of an event of agenttool. */
  add(event: RunEvent): readonly ToolRecord[] {
    const time = timeOf(event, this.#run)
    return this.#drafts(event, time).map(({ kind, call, tool, data }, index) => ({
      schema_version: SCHEMA_VERSION,
      event_id: `${this.#run.id}/${event.seq}.${index}`,
      event_type: `tool.${kind}`,
      source: 'braidwork',
      subject: this.#run.id,
      time,
      ...(call === undefined ? {} : { invocation_id: call }),
      ...(tool === undefined ? {} : { tool_id: tool }),
      data: { schema_version: SCHEMA_VERSION, ...data },
    }))
  }

  #drafts(event: RunEvent, time: string): readonly RecordDraft[] {
    switch (event.type) {
      case 'tool-inventory':
        return catalogRecords(event, this.#run.id, time)
      case 'tool-call-end':
        this.#move(event.id, { input: event.input, status: 'arguments_ready', time })
        return []
      case 'approval-required':
        this.#move(event.callId, { input: event.input, status: 'awaiting_approval', time })
        return [this.#decision(event, { behavior: 'ask', time })]
      case 'approval-resolved':
        this.#move(event.callId, { status: event.approved ? 'approved' : 'denied', time })
        return [this.#answer(event, time)]
      case 'tool-execution-start':
        return this.#begin(event, time)
      case 'tool-execution-progress':
        return [this.#told(event, time)]
      case 'tool-execution-end':
        return this.#end(event, time)
      default:
        return []
    }
  }

  #move(
    callId: string,
    { input, status, time }: { readonly input?: unknown; readonly status: string; time: string },
  ): KnownCall {
    const known = this.#calls.get(callId) ?? { createdAt: time, input, transitions: [] }
    known.transitions.push({ status, at: time })
    this.#calls.set(callId, known)
    return known
  }

  #begin(event: EventOf<'tool-execution-start'>, time: string): readonly RecordDraft[] {
    const { callId: call, name: tool, input, policy, hooks = [] } = event
    this.#move(call, { input, status: 'running', time }).startedAt = time
    const source = policy && { source: policy.source, reason: { text: policy.reason } }
    const decision = { decision_id: `${call}/policy`, decided_at: time, ...source }
    const judged = policy && { ...decision, invocation_id: call, behavior: policy.decision }
    return [
      ...(judged ? [{ kind: 'permission_decision', call, tool, data: judged } as const] : []),
      ...hooks.flatMap((hook, at) => hookRecords(hook, { call, tool, at, time })),
    ]
  }

  #end(event: EventOf<'tool-execution-end'>, time: string): readonly RecordDraft[] {
    const { callId: call, result, error, hooks = [] } = event
    const { name: tool } = result
    const status = event.state ?? (result.isError ? 'failed' : 'succeeded')
    const { createdAt, startedAt, input, transitions } = this.#move(call, { status, time })
    const invocation = {
      invocation_id: call,
      tool_id: tool,
      native_call_id: call,
      status,
      model_input: input,
      runtime_refs: [this.#run.id],
      status_transitions: transitions,
      created_at: createdAt,
      ...(startedAt === undefined ? {} : { started_at: startedAt }),
      ended_at: time,
    }
    return [
      ...hooks.flatMap((hook, at) => hookRecords(hook, { call, tool, at: at + 1000, time })),
      { kind: 'invocation', call, tool, data: invocation },
      { kind: 'result', call, tool, data: resultRecord(result, { call, status, error, time }) },
      { kind: 'result_persistence', call, tool, data: persistence(result, call, time) },
    ]
  }

  #told({ callId: call, progress }: EventOf<'tool-execution-progress'>, time: string): RecordDraft {
    const sequence = this.#progress++
    const data = {
      progress_id: `${call}/${sequence}`,
      invocation_id: call,
      sequence,
      status: 'running',
      message: typeof progress === 'string' ? progress : JSON.stringify(progress ?? null),
      timestamp: time,
    }
    return { kind: 'progress', call, data }
  }

  #decision(
    { approvalId, callId: call, name: tool, input, expiresAt }: EventOf<'approval-required'>,
    { behavior, time }: { readonly behavior: 'ask'; readonly time: string },
  ): RecordDraft {
    const expires = expiresAt === undefined ? {} : { expires_at: expiresAt }
    const data = { decision_id: approvalId, invocation_id: call, behavior, decided_at: time }
    return {
      kind: 'permission_decision',
      call,
      tool,
      data: { ...data, ...expires, updated_input: input },
    }
  }

  #answer(
    { approvalId, callId: call, approved, reason }: EventOf<'approval-resolved'>,
    time: string,
  ): RecordDraft {
    const data = {
      decision_id: `${approvalId}/answer`,
      invocation_id: call,
      behavior: approved ? 'allow' : 'deny',
      source: 'person',
      ...(reason === undefined ? {} : { reason: { text: reason } }),
      decided_at: time,
    }
    return { kind: 'permission_decision', call, data }
  }
}

interface HookPlace {
  readonly call: string
  readonly tool: string
  readonly at: number
  readonly time: string
}

/** What a hook did, and the change of the input if it made one. LT-02 */
function hookRecords(
  { plugin, hook, reason, input }: ToolHookRecord,
  { call, tool, at, time }: HookPlace,
): readonly RecordDraft[] {
  const ids = { invocation_id: call, tool_id: tool }
  const ran = {
    hook_id: `${call}/hook-${at}`,
    hook_event: hook === 'editToolResult' ? 'post_tool_use' : 'pre_tool_use',
    ...ids,
    outputs: [{ plugin, hook, reason }],
    ...(input === undefined ? {} : { updated_input: input }),
    ended_at: time,
  }
  const mutation = {
    mutation_id: `${call}/input-${at}`,
    invocation_id: call,
    source_type: 'hook',
    source_ref: plugin,
    reason,
    created_at: time,
  }
  const changed = { kind: 'input_mutation', call, tool, data: mutation } as const
  return [{ kind: 'hook', call, tool, data: ran }, ...(input === undefined ? [] : [changed])]
}

interface ResultPlace {
  readonly call: string
  readonly status: string
  readonly error: unknown
  readonly time: string
}

function resultRecord(
  { output, references = [], artifacts = [], evidence = [] }: ToolResultPart,
  { call, status, error, time }: ResultPlace,
): object {
  return {
    result_id: `${call}/result`,
    invocation_id: call,
    status,
    is_error: status !== 'succeeded',
    structured_content: output ?? null,
    resource_refs: references,
    artifact_refs: artifacts,
    evidence_refs: evidence,
    ...(error === undefined ? {} : { error }),
    created_at: time,
  }
}

/** Whether the result is stored as a whole, or as a preview with a reference to its bytes. LT-09 */
function persistence({ references }: ToolResultPart, call: string, time: string): object {
  const [stored] = references ?? []
  const ids = { decision_id: `${call}/kept`, invocation_id: call, result_id: `${call}/result` }
  const kept = stored
    ? { strategy: 'preview_and_persist', original_size_bytes: stored.size, persisted_ref: stored }
    : { strategy: 'inline' }
  return { ...ids, ...kept, created_at: time }
}
