import type { Check } from './compile-schema.ts'
import { type Finding, type FoundJson, findJson } from './find-json.ts'
import { DEEPEST } from './scan-json.ts'
import { withTimeLimit } from './time-limit.ts'

/** The result of reading an answer: its JSON, or at least one fault. */
export type Reading = { readonly json: FoundJson } | { readonly faults: readonly string[] }

const LONGEST_ANSWER = 1024 * 1024

/**
 * Reads the only JSON value in a text that matches the schema.
 * @param isCut true if the text was cut off
 * @throws TIMEOUT
 */
export function readAnswer(text: string, check: Check, isCut = false): Reading {
  if (text.trim() === '') return fault('it is empty')
  if (text.length > LONGEST_ANSWER) return fault(`it is longer than ${LONGEST_ANSWER} characters`)
  return withTimeLimit('Comparing the answer with its schema', () => {
    const finding = findJson(text)
    if (!('found' in finding)) return fault(describe(finding))
    // A truncated object or array is recognisable. A truncated number is not: it is just another number.
    if (isCut && typeof finding.found[0]?.value === 'number')
      return fault(describe({ fault: 'cut' }))
    return choose(finding.found, check)
  })
}

/** Chooses among several values the one that matches. If several match, the answer is ambiguous. */
function choose(found: readonly FoundJson[], check: Check): Reading {
  const verdicts = found.map((json) => ({ json, faults: faultsOf(json.value, check) }))
  const [match, ...more] = verdicts.filter(({ faults }) => faults.length === 0)
  if (match) {
    return more.length === 0
      ? { json: match.json }
      : fault('it has several JSON values that match; give exactly one')
  }
  const [only, ...others] = verdicts
  if (only && others.length === 0) return { faults: only.faults }
  return fault('it has several JSON values, and none of them matches; give exactly one')
}

/** Faults of a value, including values that a message cannot store whatever the schema allows. */
function faultsOf(value: unknown, check: Check): readonly string[] {
  const found = plainFault(value)
  return found === undefined ? check(value) : [found]
}

function plainFault(value: unknown, depth = 1): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number in it is too large'
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > DEEPEST) return describe({ fault: 'deep' })
  if (Object.hasOwn(value, '__proto__')) return 'the key "__proto__" is not allowed'
  for (const inner of Object.values(value)) {
    const found = plainFault(inner, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

function describe(finding: Exclude<Finding, { readonly found: unknown }>): string {
  switch (finding.fault) {
    case 'cut':
      return 'its JSON is incomplete'
    case 'deep':
      return `its JSON is nested deeper than ${DEEPEST} levels`
    case 'none':
      return finding.after === undefined
        ? 'there is no JSON in it'
        : `its JSON breaks off before ${JSON.stringify(finding.after)}`
  }
}

function fault(...faults: readonly string[]): Reading {
  return { faults }
}
