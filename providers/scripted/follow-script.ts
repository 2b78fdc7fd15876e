import { callIds } from './call-ids.ts'
import type { Draft } from './draft.ts'
import type { Content, ToolCallContent } from './native.ts'
import type { ScriptedRequest } from './request.ts'
import { asFault, type Rule, type ScriptCall, type Then, type When } from './script.ts'
import { fillTemplates, fillTemplatesIn } from './templates.ts'
import type { Turn } from './turn.ts'

const CONTENT_KEYS = ['reasoning', 'text', 'sources', 'files', 'data', 'tool_calls'] as const

/**
 * The answer of the first rule that applies; `undefined` if none does. A rule without content gets it from `otherwise`.
 */
export function followScript(
  request: ScriptedRequest,
  turn: Turn,
  otherwise: () => readonly Content[],
): Draft | undefined {
  const rule = request.script.findIndex(({ when }) => holds(when, turn))
  const found: Rule | undefined = request.script[rule]
  if (!found) return undefined
  const { chunks, finish_reason, usage, fault, metadata } = found.then
  const hasContent = CONTENT_KEYS.some((key) => found.then[key] !== undefined)
  return {
    rule,
    content: hasContent ? contentOf(found.then, request, turn) : otherwise(),
    ...(chunks === undefined ? {} : { chunks: [chunks].flat() }),
    ...(finish_reason === undefined ? {} : { finish_reason }),
    ...(usage === undefined ? {} : { usage }),
    ...(fault === undefined ? {} : { fault: asFault(fault) }),
    ...(metadata === undefined ? {} : { metadata }),
  }
}

/**
 * Whether all conditions of a rule hold. A rule with conditions on the user's text only applies once per text: the
 * results of its calls are left to rules that name a tool or a step, or to the answer from the transcript.
 */
function holds(when: When | undefined, turn: Turn): boolean {
  if (when === undefined) return true
  const { text, equals, tool, step } = when
  const looksAtText = text !== undefined || equals !== undefined
  const wantedStep = step ?? (looksAtText && tool === undefined ? 1 : undefined)
  const user = turn.user.toLowerCase()
  return (
    (text === undefined || user.includes(text.toLowerCase())) &&
    (equals === undefined || user.trim() === equals.trim().toLowerCase()) &&
    (tool === undefined || turn.lastTool === tool) &&
    (wantedStep === undefined || turn.step === wantedStep)
  )
}

function contentOf(then: Then, request: ScriptedRequest, turn: Turn): readonly Content[] {
  const nextId = callIds(request.messages)
  const { reasoning, text, sources = [], files = [], data = [], tool_calls = [] } = then
  const isShown = reasoning !== undefined && request.reasoning !== 'never'
  return [
    ...(isShown ? [reasoningContent(fillTemplates(reasoning, turn), turn.step)] : []),
    ...(text === undefined ? [] : [{ type: 'text', text: fillTemplates(text, turn) } as const]),
    ...sources.map((source) => ({ type: 'source', source }) as const),
    ...files.map((file) => ({ type: 'file', ...file }) as const),
    ...data.map(
      (item) =>
        ({ type: 'data', name: item.name, data: fillTemplatesIn(item.data, turn) }) as const,
    ),
    ...tool_calls.flatMap((call) => callContent(call, nextId(), turn)),
  ]
}

export function reasoningContent(text: string, step: number): Content {
  return { type: 'reasoning', text, id: `reasoning_${step}` }
}

function callContent(call: ScriptCall, id: string, turn: Turn): Content[] {
  const input = fillTemplatesIn(call.input ?? {}, turn)
  const content: ToolCallContent = {
    type: 'tool_call',
    id,
    name: call.name,
    arguments: call.arguments ?? JSON.stringify(input),
  }
  if (call.output === undefined) return [content]
  const output = fillTemplatesIn(call.output, turn)
  const result = { type: 'tool_result', id, name: call.name, output } as const
  return [
    { ...content, provider_executed: true },
    call.is_error ? { ...result, is_error: true } : result,
  ]
}
