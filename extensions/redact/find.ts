import { findSpans, RULES, type Span } from './rules.ts'
import type { OwnPattern, RedactSettings } from './settings.ts'

/** Milliseconds that own patterns may take in one request. */
const MOST_TIME = 2_000

/**
 * All that is to go from a text, from left to right and apart. Where two overlap, they go as one under the
 * label of the first: nothing of either is left.
 */
export class Finder {
  readonly #settings: RedactSettings
  #spent = 0

  constructor(settings: RedactSettings) {
    this.#settings = settings
  }

  /** @throws TIMEOUT, where own patterns take too long: what was not looked through is not sent. */
  find(text: string): readonly Span[] {
    const spans = this.#settings.rules.flatMap((name) => {
      const rule = RULES[name]
      return rule ? [...findSpans(text, rule)] : []
    })
    for (const own of this.#settings.patterns) this.#findOwn(text, own, spans)
    return merge(spans)
  }

  #findOwn(text: string, { label, pattern }: OwnPattern, spans: Span[]): void {
    // One search is linear in the text; all of them together are not, for some patterns.
    const began = performance.now()
    const matcher = pattern.matcher(text)
    while (matcher.find()) {
      const [start, end] = [matcher.start(), matcher.end()]
      if (end > start) spans.push({ start, end, label })
      if (this.#spent + performance.now() - began > MOST_TIME) throw tooSlow(label)
    }
    this.#spent += performance.now() - began
  }
}

function merge(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (last === undefined || span.start >= last.end) merged.push(span)
    else if (span.end > last.end) merged[merged.length - 1] = { ...last, end: span.end }
  }
  return merged
}

function tooSlow(label: string): Error {
  const message = `The patterns of extension "redact" take more than ${MOST_TIME / 1000} s for this request, at the one for "${label}"; make it simpler, such as without ".*".`
  return Object.assign(new Error(message), { code: 'TIMEOUT' })
}
