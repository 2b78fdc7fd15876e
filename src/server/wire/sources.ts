import type { Part, SourcePart } from '@braidwork/plugin'

/**
 * Returns for each part the sources directly after it. Sources after a text are those that it cites; sources after
 * a call are what a search found.
 * @param isApart whether a part of this kind ends the sequence of sources
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
