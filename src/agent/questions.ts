import { isDeepStrictEqual } from 'node:util'
import { faultFinderOf } from '@braidwork/core/internal'
import { findJsonFault, isObject } from '@braidwork/plugin'
import { asSentence, messageOf } from '@braidwork/plugin/internal'

type JsonSchema = { readonly [key: string]: unknown }

/** A question to a person: the arguments of a call whose tool is marked `asks_user`. CT-31 */
export interface Question {
  readonly question: string
  /** The answers to choose from. */
  readonly options?: readonly string[]
  /** The JSON Schema of the answer, where it is no text: an object, or its JSON. */
  readonly schema?: JsonSchema | string
}

/** The JSON Schema of the answer to a question: one of its options, its own schema, or a text. */
export function answerSchemaOf(input: unknown): JsonSchema {
  const { options, schema } = questionIn(input)
  if (options && options.length > 0) return { type: 'string', enum: options }
  return schema ?? { type: 'string', minLength: 1 }
}

/**
 * The JSON Schema of the answer where a delegate needs an approval: the question names its call. The model of the
 * delegate is told the reason.
 */
export const PERMISSION_SCHEMA: JsonSchema = {
  type: 'object',
  properties: { approve: { type: 'boolean' }, reason: { type: 'string' } },
  required: ['approve'],
  additionalProperties: false,
}

/** Whether a question asks for an approval, whose answer is `{ approve, reason? }`. */
export function asksPermission(input: unknown): boolean {
  return isDeepStrictEqual(answerSchemaOf(input), PERMISSION_SCHEMA)
}

/** What is wrong with an answer to a question, for whoever gave it. Undefined if it fits. */
export async function answerFault(input: unknown, answer: unknown): Promise<string | undefined> {
  const { options } = questionIn(input)
  if (options && options.length > 0) {
    if (options.includes(answer as string)) return undefined
    return `It must be one of ${options.map((option) => JSON.stringify(option)).join(', ')}.`
  }
  const fault =
    answer === undefined ? { pointer: '', reason: 'it is missing' } : findJsonFault(answer)
  if (fault) return asSentence(`${fault.pointer || '/'}: ${fault.reason}`)
  try {
    const faults = (await faultFinderOf(answerSchemaOf(input)))(answer)
    const texts = faults.map(({ pointer, message }) => `${pointer || '/'}: ${asSentence(message)}`)
    return texts.length > 0 ? texts.join(' ') : undefined
  } catch (error) {
    return `Its schema cannot be used: ${messageOf(error)}`
  }
}

/** What is wrong with the question that a model asks. Undefined if it can be asked. */
export async function questionFault(input: unknown): Promise<string | undefined> {
  const { question, options, schema } = questionIn(input)
  if (typeof question !== 'string' || question.trim() === '') {
    return 'The question is not valid at /question: it must be a text.'
  }
  if (options) return undefined
  const raw = isObject(input) ? input['schema'] : undefined
  if (raw !== undefined && raw !== null && !schema) {
    return 'The question is not valid at /schema: it must be the JSON of a JSON Schema.'
  }
  if (!schema) return undefined
  try {
    await faultFinderOf(schema)
    return undefined
  } catch (error) {
    return `The question is not valid at /schema: ${messageOf(error)}`
  }
}

function questionIn(input: unknown): Partial<Question> & { readonly schema?: JsonSchema } {
  const { question, options, schema: given } = isObject(input) ? input : {}
  const schema = typeof given === 'string' ? parsedJson(given) : given
  return {
    ...(typeof question === 'string' ? { question } : {}),
    ...(Array.isArray(options) ? { options: options.map(String) } : {}),
    ...(isObject(schema) ? { schema } : {}),
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
