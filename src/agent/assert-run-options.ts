import {
  assertKinds,
  faultIn,
  isId,
  isListOf,
  isText,
  type Kind,
  refuseUnknown,
  unknownOption,
} from '@braidwork/core/internal'
import { HostError, isObject } from '@braidwork/plugin'
import { asSentence } from '@braidwork/plugin/internal'
import type { ApprovalVerdict, PendingApproval, Resumption } from './approvals.ts'
import { registerBuiltValidators } from './built-validators.ts'
import { isCompactedHistory } from './compaction/index.ts'
import { type Interruption, isInterruption } from './interruption.ts'
import { assertIdentity } from './policy/index.ts'
import { assertRetry } from './retry/index.ts'
import { RUN_KINDS, RUN_OPTIONS } from './run-option-kinds.ts'
import type { RunOptions } from './run-options.ts'
import type { RunPosition } from './run-record.ts'
import { patternFaults, STOP_CONDITIONS_SCHEMA, type StopCondition } from './stop/index.ts'

registerBuiltValidators()

/** It has a kind for each option. */
const KINDS: { readonly [name in keyof RunOptions]-?: Kind } = RUN_KINDS

/**
 * Checks the options of a run that often come from data, which no compiler has seen.
 * @throws {HostError} OPTION_INVALID, with a pointer
 */
export function assertRunOptions(options: RunOptions): void {
  assertRunKinds(options)
  assertResume(options)
}

/** The same without all that it resumes, of which an agent elsewhere takes less. @throws {HostError} OPTION_INVALID */
export function assertRunKinds(options: RunOptions): void {
  refuseUnknown('run', options, RUN_OPTIONS)
  assertKinds('run', options, KINDS)
  if (options.resume !== undefined && !isPosition(options.resume)) {
    const expected = 'the "suspension" of the result of a run, with "verdicts"'
    throw invalid('/resume', `"resume" must be ${expected}, or what an interrupted run has left`)
  }
  if (options.identity !== undefined) assertIdentity('run', '/identity', options.identity)
}

/** Checks the options that specs of agents have too. @throws {HostError} OPTION_INVALID, with a pointer */
export async function assertSections({ stopConditions, retry }: RunOptions): Promise<void> {
  if (stopConditions !== undefined) await assertStopConditions(stopConditions)
  if (retry !== undefined) await assertRetry(retry)
}

/** A suspension is often stored as JSON, and its verdicts are easily forgotten. */
function assertResume({ resume }: RunOptions): void {
  if (resume === undefined) return
  assertThat(isKept(resume.kept), '/resume/kept', 'what the run has kept, as it was told')
  if (isInterruption(resume)) {
    assertThat(isLeft(resume), '/resume/interrupted', 'what an interrupted run has left')
    return
  }
  const told = isListOf(resume.approvals, isApproval)
  assertThat(told, '/resume/approvals', 'a list, as the run has told it')
  assertThat(Array.isArray(resume.verdicts), '/resume/verdicts', 'a list of answers to approvals')
  resume.verdicts.forEach(assertVerdict)
  assertOpen(resume)
  resume.verdicts.forEach((verdict, at) => {
    assertPermission(verdict, at, resume.approvals)
  })
  const { compacted } = resume
  const isWhole = compacted === undefined || isCompactedHistory(compacted)
  assertThat(isWhole, '/resume/compacted', 'what the compactions of the run left, as it was told')
}

/** Whether a run can go on from there. */
export function isPosition(resume: unknown): resume is RunPosition {
  if (!isObject(resume)) return false
  const { runId, seq, steps } = resume
  return isId(runId) && Number.isInteger(seq) && Number.isInteger(steps)
}

function isKept(kept: unknown): boolean {
  return kept === undefined || isObject(kept)
}

function isLeft({ interrupted, calls, messages, usage }: Interruption): boolean {
  return isObject(interrupted) && isObject(calls) && Array.isArray(messages) && isObject(usage)
}

function isApproval(approval: unknown): boolean {
  return isObject(approval) && ['approvalId', 'callId', 'name'].every((id) => isText(approval[id]))
}

const VERDICT = ['approvalId', 'approved', 'reason', 'value', 'answeredAt']

/** A text such as "false", as forms send it, is no verdict, and edited arguments would not be those that run. */
function assertVerdict(verdict: unknown, at: number): void {
  const place = `/resume/verdicts/${at}`
  const { approvalId, approved, ...others } = isObject(verdict) ? verdict : {}
  const unknown = Object.keys(others).find((name) => !VERDICT.includes(name))
  if (unknown !== undefined) throw unknownOption('A verdict', `${place}/${unknown}`, VERDICT)
  assertThat(typeof approvalId === 'string', `${place}/approvalId`, 'the id of an approval')
  assertThat(typeof approved === 'boolean', `${place}/approved`, 'true or false')
}

/** A verdict on no approval of the run would leave its call without one, and the call would count as refused. */
function assertOpen({ approvals, verdicts }: Resumption): void {
  const open = approvals.map(({ approvalId }) => approvalId)
  const ids = verdicts.map(({ approvalId }) => approvalId)
  const at = ids.findIndex((id, place) => !open.includes(id) || ids.indexOf(id) !== place)
  const id = ids[at]
  if (id === undefined) return
  const fault = open.includes(id) ? 'has two verdicts' : 'is no open approval'
  const waiting = open.map((one) => `"${one}"`).join(', ')
  const wanted = waiting ? `one verdict on each of ${waiting}` : 'no approval'
  const reason = `"${id.slice(0, 100)}" ${fault}; the run waits for ${wanted}`
  throw invalid(`/resume/verdicts/${at}/approvalId`, reason)
}

/** Only a question has an answer as its value: a permission with one means to edit the arguments. */
function assertPermission(
  { approvalId, value }: ApprovalVerdict,
  at: number,
  approvals: readonly PendingApproval[],
): void {
  const approval = approvals.find((one) => one.approvalId === approvalId)
  if (value === undefined || !approval || approval.isQuestion) return
  const reason = `"value" answers a question, and the call of "${approval.name}" asks none; its arguments cannot be edited`
  throw invalid(`/resume/verdicts/${at}/value`, reason)
}

async function assertStopConditions(stopConditions: unknown): Promise<void> {
  const ofShape = await faultIn(STOP_CONDITIONS_SCHEMA, stopConditions)
  const fault = ofShape ?? (await patternFaults(stopConditions as readonly StopCondition[]))[0]
  if (!fault) return
  const { pointer, message } = fault
  const at = pointer === '' ? '' : ` at ${pointer}`
  const reason = `The option "stopConditions" is not valid${at}: ${asSentence(message)}`
  throw invalid(`/stopConditions${pointer}`, reason)
}

function assertThat(isValid: boolean, pointer: string, expected: string): void {
  if (isValid) return
  throw invalid(pointer, `"${pointer.slice(pointer.lastIndexOf('/') + 1)}" must be ${expected}`)
}

function invalid(pointer: string, reason: string): HostError {
  return new HostError('OPTION_INVALID', asSentence(reason), { pointer })
}
