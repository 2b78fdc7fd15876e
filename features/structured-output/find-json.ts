import { scanJson } from './scan-json.ts'

/** JSON found in a text. */
export interface FoundJson {
  readonly text: string
  readonly value: unknown
}

/** The JSON values found in a text, or the reason why there are none. */
export type Finding =
  | { readonly found: readonly FoundJson[] }
  | { readonly fault: 'cut' | 'deep' }
  /** `after` is the text at which invalid JSON broke off. */
  | { readonly fault: 'none'; readonly after?: string }

/** The search ends after this many values: the answer is ambiguous anyway. */
const MOST_PIECES = 16
const MOST_FENCES = 64
const SHOWN = 30

/**
 * Finds JSON in a text: the whole text; else the content of code fences, if that is JSON; else every object and array
 * that is not inside another. Each character is read only a few times, for any text.
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
    // Values inside an unfinished value are not an answer.
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

/** The contents of fenced code blocks. */
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
    // Undefined means that this is not JSON: `null` is a valid answer.
    return undefined
  }
}
