import leven from 'leven'

/** Longer names are not compared: they are not typing errors, and a comparison takes the product of both lengths. */
const LONGEST = 200
/** The most names that are compared, because a model may call thousands of unknown tools. */
const MOST_COMPARED = 500
/** The most characters of names that an error message lists. */
const MOST_LISTED = 2000

/** The known name that is most similar to a wrong one. Undefined if none is similar enough. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  if (name.length > LONGEST) return undefined
  const folded = fold(name)
  const most = folded.length > 4 ? 2 : 1
  let best: { name: string; distance: number } | undefined
  let compared = 0
  for (const candidate of known) {
    if (++compared > MOST_COMPARED) break
    if (candidate.length > LONGEST) continue
    const distance = leven(folded, fold(candidate), { maxDistance: most + 1 })
    if (distance <= most && (best === undefined || distance < best.distance)) {
      best = { name: candidate, distance }
    }
  }
  return best?.name
}

/** The sentence ` Did you mean "x"?`, or an empty text if no known name is similar. */
export function didYouMean(name: string, known: Iterable<string>): string {
  return didYouMeanThis(nearest(name, known))
}

/** As {@link didYouMean}, for a name that was found before. */
export function didYouMeanThis(meant: string | undefined): string {
  return meant === undefined ? '' : ` Did you mean "${meant}"?`
}

/** As {@link didYouMean}, for the name of a plugin: it also knows that of its package, `@braidwork/provider-openai`. */
export function didYouMeanPlugin(name: string, known: readonly string[]): string {
  const packaged = known.filter((one) => name.endsWith(`-${one}`))
  const longest = packaged.toSorted((a, b) => b.length - a.length)[0]
  return longest === undefined ? didYouMean(name, known) : ` Did you mean "${longest}"?`
}

/**
 * Lists names for an error message. Of very many names, it lists the first and the number of the others.
 * @param count the number of all names, if `names` holds only the first of them
 */
export function listed(names: readonly string[], count = names.length): string {
  let size = 0
  const beyond = names.findIndex((name) => {
    size += name.length + 2
    return size > MOST_LISTED
  })
  const shown = beyond === -1 ? names : names.slice(0, beyond)
  const more = count > shown.length ? ` and ${count - shown.length} more` : ''
  return `${shown.join(', ')}${more}`
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}
