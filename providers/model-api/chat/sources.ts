import { isObject, type JsonObject, type Part } from '@braidwork/plugin'
import { ownFacts } from '../content.ts'
import { defined, objectsIn, textIn, without } from '../json.ts'
import type { Profile } from '../profile.ts'

/** The sources of an answer: its annotations, and the lists that some servers send beside the choices. */
export function sourceParts(
  message: JsonObject,
  completion: JsonObject,
  profile: Profile,
): readonly Part[] {
  return [
    ...objectsIn(message['annotations']).flatMap((annotation) => sourcePart(annotation, profile)),
    ...citedParts(completion),
  ]
}

function sourcePart(annotation: JsonObject, profile: Profile): readonly Part[] {
  const cited = isObject(annotation['url_citation']) ? annotation['url_citation'] : annotation
  const url = textIn(cited['url'])
  if (url === undefined) return []
  const title = textIn(cited['title'])
  const facts = ownFacts(without(cited, 'url', 'title'), profile)
  return [{ type: 'source', url, ...defined({ title }), providerMetadata: facts }]
}

/** The cited addresses, and the found pages, which have titles. Perplexity sends both lists about the same pages. */
function citedParts({ citations, search_results: found }: JsonObject): readonly Part[] {
  const titles = new Map<string, string | undefined>()
  for (const url of Array.isArray(citations) ? citations : []) {
    if (typeof url === 'string') titles.set(url, undefined)
  }
  for (const { url, title } of objectsIn(found)) {
    if (typeof url === 'string') titles.set(url, textIn(title))
  }
  return [...titles].map(([url, title]) => ({ type: 'source', url, ...defined({ title }) }))
}
