import { scanJson } from './scan-json.ts'

/** A piece of a text that is JSON. */
export interface FoundJson {
  readonly text: string
  readonly value: unknown
}

/** The JSON in a text, or why there is none. */
export type Finding =
  | { readonly found: readonly FoundJson[] }
  | { readonly fault: 'cut' | 'deep' }
  /** With what follows where JSON had begun. */
  | { readonly fault: 'none'; readonly after?: string }

/** So many pieces are as ambiguous as more of them. */
const MOST_PIECES = 16
const MOST_FENCES = 64
const SHOWN = 30

/**
 * All of the text, with or without space around it; else what stands in fences, if that is JSON; else every
 * object and array in it that is part of no other. Each character is looked at a few times, whatever the text.
 */
export function findJson(text: string): Finding {
  const whole = parse(text) ?? parse(text.trim())
  if (whole) return { found: [whole] }
  const fences = fencesIn(text).slice(0, MOST_FENCES)
  const fenced = fences.flatMap((content) => parse(content) ?? [])
  return fenced.length > 0 ? { found: fenced } : findNested(text)
}

function findNested(text: string): Finding {
  const found: FoundJson[] = []
  const brackets = /[[{]/g
  let after: string | undefined
  for (let match = brackets.exec(text); match; match = brackets.exec(text)) {
    const { outcome, end } = scanJson(text, match.index)
    // What stands in a value that never ends is a part of an answer, and none itself.
    if (outcome === 'cut' || outcome === 'deep') return { fault: outcome }
    const piece = outcome === 'whole' ? parse(text.slice(match.index, end)) : undefined
    if (piece) found.push(piece)
    else after = text.slice(end, end + SHOWN)
    if (found.length === MOST_PIECES) break
    brackets.lastIndex = Math.max(end, match.index + 1)
  }
  if (found.length > 0) return { found }
  return after === undefined ? { fault: 'none' } : { fault: 'none', after }
}

const FENCE = /^[ \t]*(`{3,}|~{3,})/

/** What stands between lines that open and close a fence. */
function fencesIn(text: string): readonly string[] {
  const contents: string[] = []
  let open: { readonly mark: string; readonly lines: string[] } | undefined
  for (const line of text.split(/\r?\n/)) {
    const [begin = '', mark = ''] = FENCE.exec(line) ?? []
    if (!open) open = mark === '' ? undefined : { mark, lines: [] }
    else if (mark.startsWith(open.mark) && line.slice(begin.length).trim() === '') {
      contents.push(open.lines.join('\n'))
      open = undefined
    } else open.lines.push(line)
  }
  return contents
}

function parse(text: string): FoundJson | undefined {
  try {
    return { text, value: JSON.parse(text) as unknown }
  } catch {
    // No JSON, which is an answer.
    return undefined
  }
}
