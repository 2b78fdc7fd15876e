import { type Approval, answerSchemaOf } from '@braidwork/agent'
import { isObject, type JsonObject } from '@braidwork/plugin'
import { type ApprovalAnswer, argumentsIn } from '../index.ts'

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

/** The keys of a field that forms of MCP have. */
const FIELD_KEYS = [
  'type',
  'title',
  'description',
  'enum',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'default',
] as const
const SIMPLE: readonly unknown[] = ['string', 'number', 'integer', 'boolean']

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
  if (isSimple(schema)) return ofAnswer(fieldOf(schema))
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

function isSimple(schema: unknown): boolean {
  if (!isObject(schema) || !SIMPLE.includes(schema['type'])) return false
  const { enum: values } = schema
  return (
    values === undefined ||
    (Array.isArray(values) && values.every((one) => typeof one === 'string'))
  )
}

function isFlat(schema: JsonObject): boolean {
  const { type, properties } = schema
  return type === 'object' && isObject(properties) && Object.values(properties).every(isSimple)
}

function fieldOf(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    FIELD_KEYS.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]]])),
  )
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
  if (isSimple(schema)) return content['answer']
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
