import { CalculatorError } from './calculator-error.ts'

export interface Token {
  readonly type: 'number' | 'name' | 'operator' | 'end'
  readonly text: string
  /** The position in the expression, counted from 1. */
  readonly at: number
}

const TOKEN =
  /(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|[-+*/%^(),])/y
const SPACE = /\s+/y

/** Alternative characters for the same operators. */
const SAME_AS = new Map([
  ['×', '*'],
  ['·', '*'],
  ['÷', '/'],
  ['−', '-'],
  ['–', '-'],
])

/** Splits an expression into tokens. The last token is `end`. */
export function tokensOf(expression: string): Token[] {
  const text = [...expression].map((sign) => SAME_AS.get(sign) ?? sign).join('')
  const tokens: Token[] = []
  let at = skipSpace(text, 0)
  while (at < text.length) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (!match) throw unknownSign(text, at)
    const [whole, number, name] = match
    const type = number !== undefined ? 'number' : name !== undefined ? 'name' : 'operator'
    tokens.push({ type, text: whole === '**' ? '^' : whole, at: at + 1 })
    at = skipSpace(text, at + whole.length)
  }
  return [...tokens, { type: 'end', text: '', at: text.length + 1 }]
}

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at
  const space = SPACE.exec(text)
  return at + (space?.[0].length ?? 0)
}

function unknownSign(text: string, at: number): CalculatorError {
  const sign = String.fromCodePoint(text.codePointAt(at) ?? 0)
  return new CalculatorError(`"${sign}" at position ${at + 1} is not part of an expression`)
}
