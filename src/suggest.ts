import leven from 'leven'

/** Longer names are no slip of a key, and comparing takes the product of their lengths. */
const LONGEST = 200

/** The known name nearest to a wrong one, where it is near enough to be what was meant. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  if (name.length > LONGEST) return undefined
  const folded = fold(name)
  const most = folded.length > 4 ? 2 : 1
  let best: { name: string; distance: number } | undefined
  for (const candidate of known) {
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

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}
