import type { Part, SourcePart } from '@braidwork/plugin'

/**
 * For each part the sources directly behind it: a text rests on them. Those behind a call are what a search found.
 * @param isApart whether a part between them parts them
 */
export function sourcesBehind(
  parts: readonly Part[],
  isApart: (part: Part) => boolean,
): readonly (readonly SourcePart[])[] {
  let near: SourcePart[] = []
  return parts.map((part) => {
    if (part.type === 'source') near.push(part)
    else if (isApart(part)) near = []
    return near
  })
}
