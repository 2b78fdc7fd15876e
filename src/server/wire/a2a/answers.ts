import { type Approval, answerSchemaOf } from '@braidwork/agent'
import { isObject, pointerOf } from '@braidwork/plugin'
import {
  type ApprovalAnswer,
  argumentsIn,
  defined,
  Fields,
  quoted,
  requestInvalid,
} from '../index.ts'
import type { A2aRequest } from './message.ts'

const PARTS = ['message', 'parts']
/** Texts and data of all parts are read together, so errors about an answer name them all. */
const POINTER = pointerOf(PARTS)
const YES = /^(?:y|yes|ok|approve|approved|allow)[.!]?$/i
const NO = /^(?:n|no|deny|denied|reject|rejected)[.!]?$/i

/**
 * Reads what a message answers to the open approvals of its task: data in the form of the task's status, or, where one
 * approval is open, a text.
 * @throws {HostError} REQUEST_INVALID if the message answers none of them
 */
export function a2aAnswersIn(
  { message, data }: Pick<A2aRequest, 'message' | 'data'>,
  open: readonly Approval[],
): readonly ApprovalAnswer[] {
  const [only, ...others] = open
  const given = data.flatMap((one) =>
    answersInData(one, others.length === 0 ? only?.id : undefined),
  )
  if (given.length > 0) return given
  if (!only) return []
  const ids = open.map(({ id }) => id)
  if (others.length > 0) {
    const message = `The task waits for ${ids.length} answers. Send them as data: {"approvals": [{"approvalId": …, "approved": true or false, or "answer": …}]}, with the ids ${ids.map(quoted).join(', ')}.`
    throw requestInvalid(PARTS, message)
  }
  const text = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  return [answerInText(only, text.trim())]
}

/** @param id the approval that is meant where the data names none */
function answersInData(data: unknown, id: string | undefined): readonly ApprovalAnswer[] {
  if (!isObject(data)) return []
  const isList = Object.hasOwn(data, 'approvals')
  const fields = new Fields(data, PARTS)
  if (isList) return (fields.list('approvals') ?? []).map((one) => answerIn(one, id))
  const isAnswer = ['approved', 'answer'].some((name) => Object.hasOwn(data, name))
  return isAnswer ? [answerIn(fields, id)] : []
}

function answerIn(fields: Fields, id: string | undefined): ApprovalAnswer {
  const approvalId = fields.text('approvalId') ?? id ?? fields.need('approvalId')
  const value = fields.any('answer')
  const approved = fields.flag('approved') ?? (value === undefined ? undefined : true)
  if (approved === undefined)
    throw fields.fault('approved', 'must be true or false; a question takes "answer"')
  const reason = fields.text('reason')
  fields.assertRead()
  return { approvalId, approved, ...defined({ value, reason }), pointer: POINTER }
}

function answerInText(
  { id: approvalId, isQuestion, input }: Approval,
  text: string,
): ApprovalAnswer {
  if (isQuestion) {
    const isText = answerSchemaOf(input)['type'] === 'string'
    const value = isText ? text : argumentsIn(text)
    return { approvalId, approved: true, value, pointer: POINTER }
  }
  if (YES.test(text)) return { approvalId, approved: true, pointer: POINTER }
  if (NO.test(text)) return { approvalId, approved: false, pointer: POINTER }
  const message =
    'The task waits for a permission: answer "yes" or "no", or data with {"approved": true or false}.'
  throw requestInvalid(PARTS, message)
}
