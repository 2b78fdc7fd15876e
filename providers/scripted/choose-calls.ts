import { isObject, type JsonObject } from '@braidwork/plugin'
import { fillInputs } from './fill-inputs.ts'
import { instanceOf } from './instance.ts'
import type { NativeTool } from './native.ts'
import type { ScriptedRequest } from './request.ts'
import { parseJson, type Turn } from './turn.ts'

/** A tool call that the request asks for. */
export interface Wanted {
  readonly name: string
  readonly input: JsonObject
}

/** The maximum number of calls in one answer. */
const MOST_CALLS = 16

/** The calls that the user's text asks for and that this turn has not made yet. */
export function chooseCalls(request: ScriptedRequest, turn: Turn): readonly Wanted[] {
  const { tool_choice: choice, tools, parallel_tool_calls } = request
  if (choice === 'none' || tools.length === 0) return []
  const offered =
    typeof choice === 'object' ? tools.filter(({ name }) => name === choice.tool) : tools
  const made = new Set(turn.calls.map(({ name, arguments: text }) => keyOf(name, parseJson(text))))
  const wanted = offered
    .flatMap((tool) => wantedOf(tool, turn.asked))
    .filter(({ name, input }) => !made.has(keyOf(name, input)))
  // If the tool choice requires a call, one is made even if the text asks for none; a new one, if there is one.
  const isForced = wanted.length === 0 && choice !== 'auto'
  const forcible = isForced ? offered.map((tool) => forced(tool, turn)) : []
  const fresh = forcible.find(({ name, input }) => !made.has(keyOf(name, input))) ?? forcible[0]
  const demanded = fresh ? [fresh] : wanted
  return demanded.slice(0, parallel_tool_calls ? MOST_CALLS : 1)
}

function wantedOf(tool: NativeTool, text: string): Wanted[] {
  return fillInputs(tool, text).map((input) => ({ name: tool.name, input }))
}

function forced(tool: NativeTool, turn: Turn): Wanted {
  const [asked] = wantedOf(tool, turn.asked)
  if (asked) return asked
  const input = instanceOf(tool.input_schema, { text: turn.asked, turn })
  return { name: tool.name, input: isObject(input) ? input : {} }
}

function keyOf(name: string, input: unknown): string {
  return JSON.stringify([name, input])
}
