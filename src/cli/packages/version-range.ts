type Version = readonly [major: number, minor: number, patch: number]

/** Versions from one on, and before the other. */
interface Span {
  readonly from: Version
  readonly before: Version
}

const LOWEST: Version = [0, 0, 0]
const HIGHEST: Version = [Number.POSITIVE_INFINITY, 0, 0]
/** An operator and a version, whose parts may be missing or `x`. The label of a pre-release is left out. */
const COMPARATOR =
  /^(?<sign>[<>]=?|[=^~])?v?(?<major>\d+|[x*])(?:\.(?<minor>\d+|[x*]))?(?:\.(?<patch>\d+|[x*]))?(?:[-+][\w.+-]*)?$/i

/**
 * Whether a range of npm, such as `^1.2.0 || >=3`, excludes a version. A value that is no range of versions, such as a
 * tag or an address, excludes none.
 */
export function isExcluded(version: string, range: string): boolean {
  const own = spanOf(version)?.from
  const sets = range.split('||').map(spansIn)
  if (own === undefined || sets.some((spans) => spans.includes(undefined))) return false
  return !sets.some((spans) =>
    spans.every((span) => span && compare(span.from, own) <= 0 && compare(own, span.before) < 0),
  )
}

/** The spans that a version must be in, all of them. Undefined for a part that cannot be read. */
function spansIn(text: string): readonly (Span | undefined)[] {
  const parts = text
    .trim()
    .replaceAll(/([<>=^~]) +/g, '$1')
    .split(/ +/)
  const [low = '', dash, high = ''] = parts
  if (dash === '-') return [spanOf(`>=${low}`), spanOf(`<=${high}`)]
  return parts.map((part) => spanOf(part === '' ? '*' : part))
}

function spanOf(text: string): Span | undefined {
  const { sign = '=', major, minor, patch } = COMPARATOR.exec(text)?.groups ?? {}
  if (major === undefined) return undefined
  const given = [major, minor, patch].map((part) => Number.parseInt(part ?? '', 10))
  const known = given.findIndex(Number.isNaN)
  const depth = known === -1 ? given.length : known
  const [a = 0, b = 0, c = 0] = given.slice(0, depth)
  const from: Version = [a, b, c]
  const after = nextOf(from, depth)
  switch (sign) {
    case '<':
      return { from: LOWEST, before: from }
    case '<=':
      return { from: LOWEST, before: after }
    case '>':
      return { from: after, before: HIGHEST }
    case '>=':
      return { from, before: HIGHEST }
    case '~':
      return { from, before: nextOf(from, Math.min(depth, 2)) }
    case '^':
      return { from, before: nextOf(from, Math.min(depth, leadOf(from))) }
    default:
      return { from, before: after }
  }
}

/** How many parts of a version stay the same in the versions that are compatible with it. */
function leadOf(version: Version): number {
  const first = version.findIndex((part) => part > 0)
  return first === -1 ? version.length : first + 1
}

/** The first version that differs in the first parts. */
function nextOf([major, minor, patch]: Version, depth: number): Version {
  if (depth === 0) return HIGHEST
  if (depth === 1) return [major + 1, 0, 0]
  return depth === 2 ? [major, minor + 1, 0] : [major, minor, patch + 1]
}

function compare(left: Version, right: Version): number {
  const at = left.findIndex((part, index) => part !== right[index])
  return at === -1 ? 0 : (left[at] ?? 0) - (right[at] ?? 0)
}
