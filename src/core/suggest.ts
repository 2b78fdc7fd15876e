import leven from 'leven'

/** Longer names are no slip of a key, and comparing takes the product of their lengths. */
const LONGEST = 200
/** Of more names the first are compared: a model may call thousands that there are not, each among thousands. */
const MOST_COMPARED = 500
/** Characters of the names that an error lists. */
const MOST_LISTED = 2000

/** The known name nearest to a wrong one, where it is near enough to be what was meant. */
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

/** ` Did you mean "x"?`, or nothing. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const meant = nearest(name, known)
  return meant === undefined ? '' : ` Did you mean "${meant}"?`
}

/**
 * Names as an error lists them; where they are very many, the first and how many more there are.
 * @param count of all names, where the first alone are given
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
