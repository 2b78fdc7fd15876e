type Numbers = readonly number[]

const CLAUSE = /^(>=|<=|==|!=|~=|>|<)\s*(\d{1,9}(?:\.\d{1,9}){0,5})(\.\*)?$/

/** Whether `version` is equal to or later than `least`. */
export function isAtLeast(version: string, least: string): boolean {
  return compare(numbersOf(version), numbersOf(least)) >= 0
}

/** Whether a text is a valid `requires-python` for released versions, such as `>=3.10,<3.14`. */
export function areClauses(text: string): boolean {
  return clausesOf(text).every((clause) => CLAUSE.test(clause))
}

/** Whether a released version satisfies every clause. */
export function meets(version: string, clauses: string): boolean {
  const have = numbersOf(version)
  return clausesOf(clauses).every((clause) => meetsClause(have, clause))
}

function meetsClause(have: Numbers, clause: string): boolean {
  const [, operator, text = '', star] = CLAUSE.exec(clause) ?? []
  const wanted = numbersOf(text)
  const isSame = compare(star ? have.slice(0, wanted.length) : have, wanted) === 0
  switch (operator) {
    case '==':
      return isSame
    case '!=':
      return !isSame
    case '>=':
      return compare(have, wanted) >= 0
    case '<=':
      return compare(have, wanted) <= 0
    case '>':
      return compare(have, wanted) > 0
    case '<':
      return compare(have, wanted) < 0
    default: {
      // "~=3.10" means any 3.x from 3.10 on.
      const series = wanted.slice(0, -1)
      return compare(have, wanted) >= 0 && compare(have.slice(0, series.length), series) === 0
    }
  }
}

function clausesOf(text: string): string[] {
  const clauses = text.split(',').map((clause) => clause.trim())
  return clauses.filter((clause) => clause !== '')
}

function numbersOf(version: string): Numbers {
  return version.split('.').map(Number)
}

/** Returns a number below, equal to or above 0. Missing parts count as 0. */
function compare(left: Numbers, right: Numbers): number {
  const length = Math.max(left.length, right.length)
  for (let at = 0; at < length; at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
