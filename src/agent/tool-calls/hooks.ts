import {
  type AskedFeature,
  type CallOutcome,
  failure,
  type OpenedConfig,
  outcomeOf,
  type ToolExecution,
} from '@braidwork/core/internal'
import type { RunSnapshot, ToolCallInfo, ToolHookRecord } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { Restrictions } from '../policy/index.ts'
import { ended, type GateVerdict, inputOf, isFinal, moved, type ToolCall } from './tool-call.ts'

const CANCELLED = failure('canceled', 'The call was cancelled before it ran.')
const CANCELLED_WHILE = failure('canceled', 'The call was cancelled while it ran.')

/** What the hooks of a call need. */
export interface HookScope {
  readonly opened: OpenedConfig
  readonly execution: ToolExecution
  /** False if no person can be asked a question. */
  readonly canAsk?: boolean
  /** What restricts the run now. Absent where no call is judged. */
  readonly restrictions?: () => Restrictions
  /** The run, as the gate of a feature sees it. */
  readonly runFor?: ((plugin: string) => RunSnapshot) | undefined
}

/** Lets features change the arguments of a call. What the model wrote stays in `part`. LT-02 */
export async function editCall(call: ToolCall, scope: HookScope): Promise<ToolCall> {
  let edited = call
  for (const feature of scope.opened.features(scope.execution).with('editToolCall')) {
    try {
      edited = await editedBy(feature, edited, scope)
    } catch (error) {
      return isCancelled(scope) ? ended(edited, CANCELLED) : blockedBy(feature, edited, error)
    }
  }
  return edited
}

async function editedBy(
  feature: AskedFeature,
  call: ToolCall,
  { opened }: HookScope,
): Promise<ToolCall> {
  const answer = await feature.ask(infoOf(call))
  if (!answer) return call
  const { input, reason } = answer
  const fault = await opened.faultOf({ ...call.part, input })
  if (fault !== undefined) throw new TypeError(fault)
  return withRecord(call, {
    plugin: feature.name,
    hook: 'editToolCall',
    reason: textOf(reason),
    input,
  })
}

const STRICTEST = ['result', 'suspend', 'block'] as const

/** Asks the gates of a call. One that throws blocks it. AW-64, AW-69 */
export async function askGates(call: ToolCall, scope: HookScope): Promise<ToolCall> {
  let gate: GateVerdict | undefined
  for (const feature of scope.opened.features(scope.execution).with('toolGate')) {
    const verdict = await verdictOf(feature, call, scope)
    if (verdict && (!gate || rankOf(verdict) > rankOf(gate))) gate = verdict
  }
  if (isCancelled(scope)) return ended(call, CANCELLED)
  return gate ? { ...call, gate } : call
}

/** Whether the run was cancelled: then no answer of a feature counts. LR-13 */
function isCancelled({ execution }: HookScope): boolean {
  return execution.signal?.aborted === true
}

async function verdictOf(
  feature: AskedFeature,
  call: ToolCall,
  { runFor }: HookScope,
): Promise<GateVerdict | undefined> {
  const plugin = feature.name
  try {
    const answer = await feature.ask({ ...infoOf(call), run: runFor?.(plugin) })
    if (!answer) return undefined
    const { block, suspend, result, reason } = answer
    if (block !== undefined) return { plugin, verdict: 'block', reason: textOf(block) }
    if (suspend !== undefined) return { plugin, verdict: 'suspend', reason: textOf(suspend) }
    if (result !== undefined) return { plugin, verdict: 'result', reason: textOf(reason), result }
    throw new TypeError('the verdict has none of "block", "suspend" and "result"')
  } catch (error) {
    return { plugin, verdict: 'block', reason: failureText(feature, error) }
  }
}

function rankOf({ verdict }: GateVerdict): number {
  return STRICTEST.indexOf(verdict)
}

/** Asks the gates of an approved call once more: a person's answer does not pass over a gate that blocks now. */
export async function gateAgain(call: ToolCall, scope: HookScope): Promise<ToolCall> {
  if (call.state !== 'approved') return call
  const asked = await askGates(call, scope)
  if (isFinal(asked)) return asked
  return asked.gate?.verdict === 'block' ? endedByGate(call, asked.gate) : call
}

/** The call of a gate that wants a person's answer. */
export function suspendedByGate(call: ToolCall, { plugin, reason }: GateVerdict): ToolCall {
  return moved(withRecord(call, { plugin, hook: 'toolGate', reason }), 'awaiting_approval')
}

/** Ends a call as its gate says: blocked, or with a result and without running. */
export function endedByGate(call: ToolCall, gate: GateVerdict): ToolCall {
  const { plugin, verdict, reason, result } = gate
  const recorded = withRecord(call, { plugin, hook: 'toolGate', reason })
  return ended(
    recorded,
    verdict === 'result' ? outcomeOf({ output: result }) : failure('hook_blocked', reason),
  )
}

interface EditedResult {
  readonly outcome: CallOutcome
  readonly hooks?: readonly ToolHookRecord[]
}

/** Lets features change the result of a call that has run. If one fails, the model gets no result. */
export async function editResult(
  call: ToolCall,
  outcome: CallOutcome,
  scope: HookScope,
): Promise<EditedResult> {
  let edited = outcome
  const { hooks = [] } = call
  const records: ToolHookRecord[] = [...hooks]
  for (const feature of scope.opened.features(scope.execution).with('editToolResult')) {
    try {
      const isError = edited.state !== 'succeeded'
      const answer = await feature.ask(infoOf(call), { output: edited.output, isError })
      if (!answer) continue
      const { output, state } = outcomeOf({ output: answer['output'] })
      if (state !== 'succeeded') throw new TypeError(String(output))
      edited = { ...edited, output }
      records.push({
        plugin: feature.name,
        hook: 'editToolResult',
        reason: textOf(answer['reason']),
      })
    } catch (error) {
      if (isCancelled(scope)) return { outcome: CANCELLED_WHILE, hooks: records }
      const text = `The result is withheld. ${failureText(feature, error)}`
      return { outcome: failure('hook_blocked', text), hooks: records }
    }
  }
  return records.length > 0 ? { outcome: edited, hooks: records } : { outcome: edited }
}

function blockedBy(feature: AskedFeature, call: ToolCall, error: unknown): ToolCall {
  const reason = failureText(feature, error)
  const record = { plugin: feature.name, hook: 'editToolCall', reason } as const
  return ended(withRecord(call, record), failure('hook_blocked', reason))
}

function failureText({ name }: AskedFeature, error: unknown): string {
  return `The feature "${name}" failed for the call: ${messageOf(error)}`
}

function withRecord(call: ToolCall, record: ToolHookRecord): ToolCall {
  return { ...call, hooks: [...(call.hooks ?? []), record] }
}

function infoOf(call: ToolCall): ToolCallInfo | undefined {
  const { part, tool } = call
  if (!tool) return undefined
  return {
    callId: part.callId,
    name: part.name,
    input: inputOf(call),
    ...(tool.plugin ? { plugin: tool.plugin.name } : {}),
    safety: tool.schema.safety ?? {},
    policy: tool.policy,
  }
}

function textOf(reason: unknown): string {
  return typeof reason === 'string' ? reason : 'The feature gave no reason.'
}
