import type { Part, SourcePart } from '@braidwork/plugin'

/**
 * Returns for each part the sources that follow it. The sources after a text are those that it cites. The sources
 * after a call are the results of a search.
 * @param isApart whether a part ends the list of sources that belong to the part before it
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
