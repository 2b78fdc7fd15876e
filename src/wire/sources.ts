import type { Part, SourcePart } from '../events/index.ts'

/**
 * Sources directly behind a text: it rests on them. Those behind a call are what a search found.
 * @param after the parts behind the text
 * @param isApart whether a part between them parts them
 */
export function sourcesBehind(
  after: readonly Part[],
  isApart: (part: Part) => boolean,
): readonly SourcePart[] {
  const end = after.findIndex((part) => part.type !== 'source' && isApart(part))
  const near = end === -1 ? after : after.slice(0, end)
  return near.filter((part) => part.type === 'source')
}
