import { isData, isTool, type ToolPart, type UiMessage, unhidden } from '../message/index.ts'

/** A question in the middle of a call, as a part `data-question` has it. */
export interface Asking {
  readonly approvalId: string
  /** Its hidden characters are visible. */
  readonly question: string
  /** The JSON Schema of the answer. */
  readonly schema: JsonSchema
  /** The call that an agent wants to make, if that is what it asks. */
  readonly call?: AskedCall
}

/** A call of another agent. Hidden characters of its names are visible. */
export interface AskedCall {
  readonly agent: string
  readonly name: string
  readonly input: unknown
}

export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/** What the model reads in place of an answer. The server says it too. */
export const DECLINED = 'The person declined to answer it.'

/**
 * The question of a call that waits for a person's answer, with its hidden characters visible: the call has no output,
 * and its arguments are the question.
 */
export function questionOf({ state, input }: ToolPart): string | undefined {
  if (state !== 'input-available') return undefined
  const { question } = Object(input) as { readonly question?: unknown }
  return typeof question === 'string' ? unhidden(question) : undefined
}

/** Whether a call asked a person who declined to answer. */
export function isDeclined({ state, input, errorText = '' }: ToolPart): boolean {
  const { question } = Object(input) as { readonly question?: unknown }
  return state === 'output-error' && typeof question === 'string' && errorText.endsWith(DECLINED)
}

/** The keywords of a text that is chosen, and not written. */
const CHOICES = ['enum', 'const', 'oneOf', 'anyOf']

/**
 * The JSON Schema of the answer to the question that a call is, which is given as JSON. Undefined where the answer is
 * one of the options, or any text.
 */
export function answerSchemaOf({ input }: ToolPart): JsonSchema | undefined {
  const { options, schema: given } = Object(input) as Told
  if (Array.isArray(options) && options.length > 0) return undefined
  const schema = typeof given === 'string' ? parsed(given) : given
  if (!isObject(schema)) return undefined
  const isText = schema['type'] === 'string' && !CHOICES.some((keyword) => keyword in schema)
  return isText ? undefined : schema
}

/** The answers to choose from that a schema lists, as that of a delegate's question with options does. */
export function choicesIn({ type, enum: choices }: JsonSchema): readonly string[] {
  if (type !== 'string' || !Array.isArray(choices)) return []
  return choices.filter((one) => typeof one === 'string')
}

/** Whether the answer is an approval, as a delegate needs it for a call: `{ approve, reason? }`. */
export function asksPermission({ properties, required }: JsonSchema): boolean {
  const { approve, reason: _, ...others } = Object(properties) as Told
  const isNeeded = Array.isArray(required) && required.join() === 'approve'
  return isNeeded && isObject(approve) && approve['type'] === 'boolean' && isEmpty(others)
}

/** Whether an approval may have a reason. */
export function takesReason({ properties }: JsonSchema): boolean {
  const { reason } = Object(properties) as Told
  return isObject(reason) && reason['type'] === 'string'
}

function isEmpty(value: Told): boolean {
  return Object.keys(value).length === 0
}

/** The open question of a call that asks in the middle: the last one, as long as the call has no output. */
export function askingIn({ parts }: UiMessage, part: ToolPart): Asking | undefined {
  if (part.state !== 'input-available' && !part.preliminary) return undefined
  const asked = parts.flatMap((one) =>
    isData(one) && one.type === 'data-question' ? [Object(one.data) as Told] : [],
  )
  const last = asked.findLast(({ toolCallId }) => toolCallId === part.toolCallId)
  if (typeof last?.approvalId !== 'string' || !isObject(last.schema)) return undefined
  const { approvalId, question, schema } = last
  const call = callIn(last)
  const text = typeof question === 'string' ? unhidden(question) : ''
  return { approvalId, question: text, schema, ...(call ? { call } : {}) }
}

function callIn({ call }: Told): AskedCall | undefined {
  const { agent, name, input } = Object(call) as Told
  if (typeof agent !== 'string' || typeof name !== 'string') return undefined
  return { agent: unhidden(agent), name: unhidden(name), input }
}

/** Whether an answer waits for a person: for a permission, or for an answer. */
export function isAsking(message: UiMessage): boolean {
  return message.parts.some(
    (part) =>
      isTool(part) &&
      (part.state === 'approval-requested' ||
        questionOf(part) !== undefined ||
        askingIn(message, part) !== undefined),
  )
}

interface Told {
  readonly [field: string]: unknown
}

function isObject(value: unknown): value is Told {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
