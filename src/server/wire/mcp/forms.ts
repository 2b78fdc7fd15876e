import { type Approval, answerSchemaOf } from '@braidwork/agent'
import { isObject, type JsonObject } from '@braidwork/plugin'
import { type ApprovalAnswer, argumentsIn } from '../index.ts'
import { fieldOf, isField } from './form-fields.ts'

const MOST_SHOWN = 1000

/** What waits for a person: a call for permission, or a question. */
export type McpAsked = Pick<Approval, 'id' | 'tool' | 'input' | 'isQuestion'>

/** A form for a person, as MCP elicits it. */
export interface McpForm {
  readonly message: string
  readonly requestedSchema: {
    readonly type: 'object'
    readonly properties: { readonly [name: string]: JsonObject }
    readonly required: readonly string[]
  }
}

const PERMISSION: McpForm['requestedSchema'] = {
  type: 'object',
  properties: { approve: { type: 'boolean', title: 'Run it' } },
  required: ['approve'],
}

/** @param fault what was wrong with an earlier answer */
export function formFor({ tool, input, isQuestion }: McpAsked, fault?: string): McpForm {
  const again = fault === undefined ? '' : `${fault}\n`
  if (!isQuestion) {
    const message = `${again}May the tool "${tool}" be run with ${shown(input)}?`
    return { message, requestedSchema: PERMISSION }
  }
  const { question } = Object(input) as { readonly question?: unknown }
  return { message: `${again}${String(question ?? '')}`, requestedSchema: questionSchema(input) }
}

function questionSchema(input: unknown): McpForm['requestedSchema'] {
  const schema = answerSchemaOf(input)
  if (isField(schema)) return ofAnswer(fieldOf(schema))
  if (isFlat(schema)) {
    const properties = Object.entries(schema['properties'] as JsonObject).map(([name, field]) => [
      name,
      fieldOf(field as JsonObject),
    ])
    const required = Array.isArray(schema['required']) ? schema['required'].map(String) : []
    return { type: 'object', properties: Object.fromEntries(properties), required }
  }
  return ofAnswer({ type: 'string', description: `JSON that fits ${shown(schema)}` })
}

function ofAnswer(answer: JsonObject): McpForm['requestedSchema'] {
  return { type: 'object', properties: { answer }, required: ['answer'] }
}

function isFlat(schema: JsonObject): boolean {
  const { type, properties } = schema
  return type === 'object' && isObject(properties) && Object.values(properties).every(isField)
}

/** What is wrong with a person's answer to the form of a permission. Undefined if it fits, or is to a question. */
export function permissionFault({ isQuestion }: McpAsked, given: unknown): string | undefined {
  if (isQuestion || !isObject(given) || given['action'] !== 'accept') return undefined
  const { content } = given
  const isSaid = isObject(content) && typeof content['approve'] === 'boolean'
  return isSaid ? undefined : 'The form was sent without "approve", which must be true or false.'
}

/**
 * Reads a person's answer to a form. Whether it fits the question is not checked.
 * @returns undefined if it is no answer to a form
 */
export function formAnswer(asked: McpAsked, given: unknown): ApprovalAnswer | undefined {
  if (!isObject(given)) return undefined
  const { action, content } = given
  const { id: approvalId } = asked
  if (action === 'decline') return { approvalId, approved: false, reason: 'The person declined.' }
  if (action === 'cancel') {
    return { approvalId, approved: false, reason: 'The person closed the form without an answer.' }
  }
  if (action !== 'accept') return undefined
  const fields = isObject(content) ? content : {}
  if (!asked.isQuestion) return { approvalId, approved: fields['approve'] === true }
  return { approvalId, approved: true, value: answerOf(asked.input, fields) }
}

function answerOf(input: unknown, content: JsonObject): unknown {
  const schema = answerSchemaOf(input)
  if (isField(schema)) return content['answer']
  if (isFlat(schema)) return content
  const { answer } = content
  return typeof answer === 'string' ? argumentsIn(answer) : answer
}

/** The answer in the place of a person whom the client cannot ask. */
export function unaskable({ id }: McpAsked): ApprovalAnswer {
  const reason = 'Nobody could be asked, since the client shows no forms (MCP elicitation).'
  return { approvalId: id, approved: false, reason }
}

/** The arguments of a call, as far as they fit into a sentence. */
function shown(input: unknown): string {
  const text = JSON.stringify(input) ?? '{}'
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}
