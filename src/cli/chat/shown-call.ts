import { isObject } from '@braidwork/plugin'
import { visible, visibleLine } from '../characters.ts'

/** Arguments of at most this many characters are shown on one line. */
const LONGEST_LINE = 500
/** Longer values of a call are cut in their middle, to this many characters at both ends. */
const LONGEST_VALUE = 300
const LONGEST_END = 140

/** A call as a person is asked about it. */
export interface ShownCall {
  readonly text: string
  /** Whether nothing of its arguments is left out. */
  readonly isWhole: boolean
}

/**
 * Shows what a person is to approve. Of a long call, each argument has a line, the short ones first, and a long one shows its
 * two ends and how much is between them.
 */
export function shownCall(name: string, input: unknown): ShownCall {
  const line = jsonOf(input)
  const own = visibleLine(name)
  if (line.length <= LONGEST_LINE) return { text: `${own}(${visible(line)})`, isWhole: true }
  const members = isObject(input) ? Object.entries(input) : [['arguments', input] as const]
  const values = members
    .map(([key, value]) => ({ key, json: jsonOf(value) }))
    .toSorted((one, other) => one.json.length - other.json.length)
  const lines = values.map(({ key, json }) => `  ${visibleLine(key)}: ${visible(cut(json))}`)
  const isWhole = values.every(({ json }) => json.length <= LONGEST_VALUE)
  return { text: `${own} with\n${lines.join('\n')}\n`, isWhole }
}

/** The arguments of a call, whole. */
export function wholeCall(input: unknown): string {
  return visible(JSON.stringify(input, null, 2) ?? '')
}

function cut(json: string): string {
  if (json.length <= LONGEST_VALUE) return json
  const left = json.length - 2 * LONGEST_END
  return `${json.slice(0, LONGEST_END)} … ${left} more characters … ${json.slice(-LONGEST_END)}`
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? ''
}
