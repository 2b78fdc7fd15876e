import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../src/plugin/index.ts'
import { instanceOf } from './instance.ts'
import { type ChatRequest, type OfferedTool, type Turn, turnOf } from './request.ts'

/** What the model answers: a text, a call of a tool, or numbers at a slow pace. */
export type Answer =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string; readonly input: unknown }
  | { readonly kind: 'count'; readonly to: number; readonly mark: string }

type Rule = (turn: Turn, request: ChatRequest) => Answer | undefined

/** The answer to a request: that of the first rule which has one, or a text. */
export function answerTo(request: ChatRequest): Answer {
  const turn = turnOf(request.messages)
  for (const rule of RULES) {
    const answer = rule(turn, request)
    if (answer) return answer
  }
  return say(textFor(turn))
}

/** What the model says about results of tools, images, earlier messages, or else the question. */
function textFor({ asked, images, hasImages, earlier, results }: Turn): string {
  if (results.length > 0) {
    return results.map(({ tool, text }) => `The tool ${tool} said: ${text}`).join('\n')
  }
  // Some applications send an image in a message before the question.
  const isSight = hasImages || /\bwhat do you see\b/i.test(asked)
  if (isSight && images.length > 0) return images.map(describeImage).join('\n')
  if (/\bwhat did I say before\b/i.test(asked)) return `Before, you said: ${earlier.join(' | ')}`
  // What stands in `<reply>` is the answer, word by word.
  const [, text] = /<reply>\n?([\s\S]*?)<\/reply>/.exec(asked) ?? []
  return text ?? `You said: ${asked}`
}

/** `Use the tool add with {"a": 1}` calls the tool of this name, or one whose name ends with it. */
const callTool: Rule = ({ asked, results }, { tools = [] }) => {
  const [, wanted, input] = /\btool (\w+) with (\{[^}]*\})/.exec(asked) ?? []
  if (wanted === undefined || input === undefined) return undefined
  const isWanted = (name: string) => name === wanted || name.endsWith(wanted)
  if (results.some(({ tool }) => isWanted(tool))) return undefined
  const offered = tools.map(({ function: { name } }) => name)
  const name = offered.find(isWanted)
  if (name !== undefined) return { kind: 'call', name, input: JSON.parse(input) }
  return say(`No tool ${wanted} is offered. Offered are: ${offered.join(', ')}`)
}

/** A required call, or one of a given tool, is made once. */
const callAsRequired: Rule = (turn, { tools = [], tool_choice: choice }) => {
  const offered = tools.map(({ function: tool }) => tool)
  const called = new Set(turn.results.map(({ tool }) => tool))
  const tool = requiredTool(offered, choice, called)
  if (!tool) return undefined
  const source = { asked: turn.asked, text: textFor(turn) }
  return { kind: 'call', name: tool.name, input: instanceOf(tool.parameters, source) }
}

function requiredTool(
  offered: readonly OfferedTool[],
  choice: ChatRequest['tool_choice'],
  called: ReadonlySet<string>,
): OfferedTool | undefined {
  const wanted = typeof choice === 'object' ? choice.function.name : undefined
  if (wanted === undefined && choice !== 'required') return undefined
  return offered.find(({ name }) => !called.has(name) && (wanted ?? name) === name)
}

/** An instance of a required schema; JSON without a schema has the pairs `name=value` of the question. */
const answerInJson: Rule = (turn, { response_format: format }) => {
  const { asked } = turn
  if (format?.type === 'json_schema') {
    const source = { asked, text: textFor(turn) }
    return say(JSON.stringify(instanceOf(format.json_schema?.schema ?? {}, source)))
  }
  if (format?.type !== 'json_object') return undefined
  const pairs = [...asked.matchAll(/\b(\w+)=(\d+|[^\s,;]+)/g)].map(([, key = '', value = '']) => [
    key,
    /^\d+$/.test(value) ? Number(value) : value,
  ])
  return say(JSON.stringify(Object.fromEntries(pairs) as JsonObject))
}

/** Type, size and the start of the SHA-256 of an image. */
function describeImage(url: string): string {
  const [, type = 'no data', data = ''] = /^data:([\w/+.-]+);base64,(.*)$/s.exec(url) ?? []
  const bytes = Buffer.from(data, 'base64')
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  return `I see ${type} of ${bytes.length} bytes, ${hash}.`
}

const count: Rule = ({ asked }) => {
  const [, to, mark] = /\bcount to (\d+) under the mark ([\w-]+)/i.exec(asked) ?? []
  return to === undefined || mark === undefined
    ? undefined
    : { kind: 'count', to: Number(to), mark }
}

const RULES: readonly Rule[] = [callTool, callAsRequired, answerInJson, count]

function say(text: string): Answer {
  return { kind: 'text', text }
}
