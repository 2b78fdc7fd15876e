import type { Content } from './native.ts'
import type { ScriptedRequest } from './request.ts'
import { countContent, tokensOf } from './tokens.ts'

export interface Limited {
  readonly content: readonly Content[]
  /** Why the content was cut, if it was. */
  readonly ended?: 'stop' | 'length'
}

type Limits = Pick<ScriptedRequest, 'stop' | 'max_output_tokens' | 'max_reasoning_tokens'>

/** Cuts an answer at the first stop sequence or at the token limit. Content after the cut is dropped. */
export function limitContent(content: readonly Content[], limits: Limits): Limited {
  let left = limits.max_output_tokens ?? Infinity
  const kept: Content[] = []
  for (const whole of content) {
    const part = thinkLess(whole, limits.max_reasoning_tokens)
    const limited = part.type === 'text' ? cutAtStop(part, limits.stop) : { part }
    const within = cutAtLength(limited.part, left)
    if (within.part) kept.push(within.part)
    const ended = within.ended ?? limited.ended
    if (ended) return { content: kept, ended }
    left -= countContent(part)
  }
  return { content: kept }
}

/** Cuts reasoning to its budget. The answer after it is not affected. */
function thinkLess(part: Content, most = Infinity): Content {
  if (part.type !== 'reasoning') return part
  return { ...part, text: tokensOf(part.text).slice(0, most).join('') }
}

interface Cut {
  readonly part?: Content
  readonly ended?: 'stop' | 'length'
}

function cutAtStop(
  part: Content & { type: 'text' },
  stop: readonly string[],
): Cut & { part: Content } {
  const found = stop.map((text) => part.text.indexOf(text)).filter((at) => at >= 0)
  if (found.length === 0) return { part }
  return { part: { ...part, text: part.text.slice(0, Math.min(...found)) }, ended: 'stop' }
}

function cutAtLength(part: Content, left: number): Cut {
  if (part.type === 'tool_call') return countContent(part) > left ? { ended: 'length' } : { part }
  if (part.type !== 'text' && part.type !== 'reasoning') return { part }
  const tokens = tokensOf(part.text)
  if (tokens.length <= left) return part.text === '' ? {} : { part }
  const text = tokens.slice(0, Math.max(0, Math.floor(left))).join('')
  return text === '' ? { ended: 'length' } : { part: { ...part, text }, ended: 'length' }
}
