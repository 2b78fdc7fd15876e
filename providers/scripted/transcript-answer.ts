import { callIds } from './call-ids.ts'
import { chooseCalls, type Wanted } from './choose-calls.ts'
import { converse } from './converse.ts'
import { describeResults } from './describe-results.ts'
import { reasoningContent } from './follow-script.ts'
import { instanceText } from './instance.ts'
import type { Content } from './native.ts'
import type { ScriptedRequest } from './request.ts'
import type { Turn } from './turn.ts'

/** Answers without a model: calls tools, describes their results, or looks up the transcript. */
export function answerFromTranscript(request: ScriptedRequest, turn: Turn): readonly Content[] {
  const calls = chooseCalls(request, turn)
  if (calls.length > 0) return callContents(calls, request, turn)
  const text = turn.results.length > 0 ? describeResults(turn) : converse(request, turn)
  const thought =
    turn.results.length > 0
      ? 'The results are there; I put them into a sentence.'
      : 'No tool helps here; I look into the transcript.'
  return [
    ...(request.reasoning === 'always' ? [reasoningContent(thought, turn.step)] : []),
    { type: 'text', text: instanceText(request.response_format, text, turn) ?? text },
  ]
}

function callContents(
  calls: readonly Wanted[],
  { messages, reasoning }: ScriptedRequest,
  turn: Turn,
): readonly Content[] {
  const nextId = callIds(messages)
  const thought = `I call ${calls.map(describeCall).join(', and ')}.`
  return [
    ...(reasoning === 'never' ? [] : [reasoningContent(thought, turn.step)]),
    ...calls.map(
      ({ name, input }) =>
        ({ type: 'tool_call', id: nextId(), name, arguments: JSON.stringify(input) }) as const,
    ),
  ]
}

function describeCall({ name, input }: Wanted): string {
  const given = Object.values(input).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  )
  return given.length > 0 ? `${name} for ${given.join(', ')}` : name
}
