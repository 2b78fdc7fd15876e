import { findJsonFault, isObject, type Part, type ToolOutput } from '@braidwork/plugin'
import { contentOf } from '../content.ts'
import { visible } from '../visible.ts'
import { withoutRepeated } from './repetition.ts'

/** The deepest nesting of structured content in which texts are made visible; the host refuses deeper values anyway. */
const DEEPEST = 200

/**
 * The result of a call, as the host takes it: structured content if there is any and it says it all, or parts. Media are
 * parts alone, also where structured content repeats them.
 */
export function outputOf(result: unknown): ToolOutput {
  if (!isObject(result)) return { output: 'The server answered with no result.', isError: true }
  const { content, structuredContent, isError } = result
  const { parts, artifacts } = contentOf(content)
  const flags = {
    ...(isError === true ? { isError: true } : {}),
    ...(artifacts.length > 0 ? { artifacts } : {}),
  }
  const structured =
    structuredContent === undefined
      ? undefined
      : withoutRepeated(structuredOf(structuredContent), parts)
  if (structured === undefined) return { output: shown(parts), ...flags }
  const others = parts.filter((part) => part.type !== 'text')
  if (others.length === 0) return { output: structured, ...flags }
  const text = { type: 'text', text: JSON.stringify(structured) } as const
  return { output: [text, ...others], ...flags }
}

/** A result of texts is one text; any other is a list of parts. */
function shown(parts: readonly Part[]): unknown {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === parts.length ? texts.join('\n') : parts
}

function structuredOf(value: unknown): unknown {
  const fault = findJsonFault(value)
  return fault ? `(structured content that is not JSON: ${fault.reason})` : visibleValue(value, 0)
}

function visibleValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return visible(value)
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => visibleValue(item, depth + 1))
  const entries = Object.entries(value).map(([key, inner]) => [key, visibleValue(inner, depth + 1)])
  return Object.fromEntries(entries)
}
