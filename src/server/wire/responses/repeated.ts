import { isObject } from '@braidwork/plugin'
import { defined, type Fields } from '../index.ts'
import { isHosted } from './tools.ts'

/** The fields of a request that its response repeats. */
export type RepeatedFields = ReturnType<typeof repeatedIn>

/** Returns what a response repeats of its request: what the server honors, as the client sent it. */
export function repeatedIn(fields: Fields, { hasChoice }: { readonly hasChoice: boolean }) {
  const format = memberOf(fields.any('text'), 'format')
  const effort = memberOf(fields.any('reasoning'), 'effort')
  const summary = memberOf(fields.any('reasoning'), 'summary')
  const reasons = effort !== undefined || summary !== undefined
  const tools = fields.any('tools')
  return defined({
    instructions: fields.any('instructions'),
    max_output_tokens: fields.any('max_output_tokens'),
    parallel_tool_calls: fields.any('parallel_tool_calls'),
    prompt_cache_key: fields.any('prompt_cache_key'),
    reasoning: reasons ? { effort: effort ?? null, summary: summary ?? null } : undefined,
    temperature: fields.any('temperature'),
    text: format === undefined ? undefined : { format },
    tool_choice: hasChoice ? fields.any('tool_choice') : undefined,
    tools: Array.isArray(tools) ? tools.filter((tool) => !isHosted(tool)) : undefined,
    top_p: fields.any('top_p'),
  })
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? (value[name] ?? undefined) : undefined
}
