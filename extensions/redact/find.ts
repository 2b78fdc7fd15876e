import { findSpans, RULES, type Span } from './rules.ts'
import type { OwnPattern, RedactSettings } from './settings.ts'

/** Milliseconds that the user's own patterns may take in one request. */
const MOST_TIME = 2_000

/**
 * Finds everything to be redacted in a text, in order and without overlap. Overlapping matches are merged under the
 * label of the first.
 */
export class Finder {
  readonly #settings: RedactSettings
  #spent = 0

  constructor(settings: RedactSettings) {
    this.#settings = settings
  }

  /** @throws TIMEOUT if the user's own patterns take too long; the request is then not sent. */
  find(text: string): readonly Span[] {
    const spans = this.#settings.rules.flatMap((name) => {
      const rule = RULES[name]
      return rule ? [...findSpans(text, rule)] : []
    })
    for (const own of this.#settings.patterns) this.#findOwn(text, own, spans)
    return merge(spans)
  }

  #findOwn(text: string, { label, pattern }: OwnPattern, spans: Span[]): void {
    // Each search is linear in the text, but all searches of a pattern together may not be.
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
  const message = `The patterns of extension "redact" take more than ${MOST_TIME / 1000} s for this request. Simplify the pattern for "${label}", for example by removing ".*".`
  return Object.assign(new Error(message), { code: 'TIMEOUT' })
}
