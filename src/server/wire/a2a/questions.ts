import { answerSchemaOf } from '@braidwork/agent'
import type { JsonObject, RunEvent } from '@braidwork/plugin'
import { defined } from '../index.ts'
import type { A2aPart } from './parts.ts'

const MOST_SHOWN = 500

export type Asked = Extract<RunEvent, { type: 'approval-required' }>

/**
 * What a task waits for: a text for people, and data for programs, whose answer has the ids of the approvals.
 * @param asked - the approvals without an answer, at least one
 */
export function askingParts(asked: readonly Asked[]): readonly A2aPart[] {
  return [
    { text: asked.map(sentenceOf).join('\n') },
    { data: { approvals: asked.map((one) => approvalData(one)) } },
  ]
}

function sentenceOf({ name, input, isQuestion }: Asked): string {
  if (!isQuestion) return `May the tool "${name}" be run with ${shown(input)}? Answer yes or no.`
  const { question } = Object(input) as { readonly question?: unknown }
  return String(question ?? '')
}

function approvalData({
  approvalId,
  callId,
  name,
  input,
  expiresAt,
  isQuestion,
}: Asked): JsonObject {
  const about = { approvalId, callId, tool: name, ...defined({ expiresAt }) }
  if (isQuestion) return { ...about, isQuestion, answerSchema: answerSchemaOf(input) }
  return { ...about, input: input ?? null }
}

/** The arguments of a call, as far as they fit into a sentence. */
function shown(input: unknown): string {
  const text = JSON.stringify(input) ?? '{}'
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}
