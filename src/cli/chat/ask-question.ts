import {
  type ApprovalVerdict,
  answerFault,
  answerSchemaOf,
  type PendingApproval,
} from '@braidwork/agent'
import { isObject } from '@braidwork/plugin'
import { visible, visibleLine } from '../characters.ts'

/** Asks a person a question in the terminal; rejects when the signal aborts. */
export type Ask = (question: string, signal: AbortSignal) => Promise<string>

/** The answers to choose from, which a question lists, or the schema of its answer does. */
function optionsOf(input: unknown): readonly string[] {
  const { type, enum: options } = answerSchemaOf(input)
  return type === 'string' && Array.isArray(options) ? options.map(String) : []
}

/** Asks a person the question of a model, until the answer fits. An empty line declines to answer. Rejects as `ask` does. CT-31 */
export async function askQuestion(
  { approvalId, input }: PendingApproval,
  ask: Ask,
  signal: AbortSignal,
): Promise<ApprovalVerdict> {
  const { question } = Object(input) as { readonly question?: unknown }
  const choices = optionsOf(input).map(optionLine)
  const lines = [visible(String(question)), ...choices, ...fieldLines(input)]
  let prompt = `${lines.join('\n')}\n${hintOf(input)}> `
  for (;;) {
    const said = (await ask(prompt, signal)).trim()
    if (said === '') return { approvalId, approved: false }
    const value = answerMeant(said, input)
    const fault = await answerFault(input, value)
    if (fault === undefined) return { approvalId, approved: true, value }
    prompt = `${visible(fault)}\n> `
  }
}

function optionLine(option: string, at: number): string {
  return `  ${at + 1}. ${visibleLine(option)}`
}

/** The fields of an answer that is an object: their names, titles, choices and defaults. */
function fieldLines(input: unknown): readonly string[] {
  const { properties, required } = answerSchemaOf(input)
  if (!isObject(properties)) return []
  const needed = Array.isArray(required) ? required : []
  return Object.entries(properties).map(([name, field]) => {
    const { title, description, enum: values, default: usual } = Object(field) as Field
    const facts = [
      ...(needed.includes(name) ? ['required'] : []),
      ...(Array.isArray(values)
        ? [`one of ${values.map((one) => JSON.stringify(one)).join(', ')}`]
        : []),
      ...(usual === undefined ? [] : [`default ${JSON.stringify(usual)}`]),
    ]
    const text = [title, description].filter((one) => typeof one === 'string').join('. ')
    const more = [text, facts.length > 0 ? `(${facts.join('; ')})` : ''].filter(Boolean).join(' ')
    return visibleLine(`  ${JSON.stringify(name)}${more === '' ? '' : `: ${more}`}`)
  })
}

interface Field {
  readonly title?: unknown
  readonly description?: unknown
  readonly enum?: unknown
  readonly default?: unknown
}

function hintOf(input: unknown): string {
  if (optionsOf(input).length > 0) return '(a number, or nothing to decline) '
  return isText(input) ? '(nothing declines) ' : '(as JSON, or nothing to decline) '
}

/** The answer that a line means: the number of an option, a text, or JSON. */
function answerMeant(said: string, input: unknown): unknown {
  const options = optionsOf(input)
  if (options.length > 0) return /^\d+$/.test(said) ? (options[Number(said) - 1] ?? said) : said
  if (isText(input)) return said
  try {
    return JSON.parse(said) as unknown
  } catch {
    // What is no JSON is a text; the schema decides whether that fits.
    return said
  }
}

function isText(input: unknown): boolean {
  return answerSchemaOf(input)['type'] === 'string'
}
