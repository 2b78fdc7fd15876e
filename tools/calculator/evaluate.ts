import { CalculatorError } from './calculator-error.ts'
import { applyFunction, constantOf } from './functions.ts'
import {
  add,
  divide,
  multiply,
  negate,
  power,
  type Rational,
  rational,
  remainder,
  subtract,
} from './rational.ts'
import { type Token, tokensOf } from './tokens.ts'

export const LONGEST_EXPRESSION = 1_000
const DEEPEST = 100
/** The largest exponent in a number such as 1e9. */
const LARGEST_EXPONENT = 2_000

type Operation = (left: Rational, right: Rational) => Rational
type Operations = ReadonlyMap<string, Operation>

const SUMS: Operations = new Map([
  ['+', add],
  ['-', subtract],
])
const PRODUCTS: Operations = new Map([
  ['*', multiply],
  ['/', divide],
  ['%', remainder],
])

/**
 * Evaluates an expression.
 * @throws {CalculatorError} with the fault and its position as a sentence
 */
export function evaluate(expression: string): Rational {
  if (expression.trim() === '') throw new CalculatorError('the expression is empty')
  if (expression.length > LONGEST_EXPRESSION) {
    const most = LONGEST_EXPRESSION.toLocaleString('en')
    throw new CalculatorError(`the expression is longer than ${most} characters`)
  }
  const parser = new Parser(tokensOf(expression))
  return parser.parse()
}

/** A recursive-descent parser that computes while it parses. The grammar: sums of products of signed powers. */
class Parser {
  readonly #tokens: readonly Token[]
  #next = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  parse(): Rational {
    const value = this.#sum()
    const rest = this.#peek()
    if (rest.type === 'end') return value
    if (rest.text === ')')
      throw new CalculatorError(`the ")" at position ${rest.at} has no matching "("`)
    throw new CalculatorError(`an operator is missing before "${rest.text}" at position ${rest.at}`)
  }

  #sum(): Rational {
    return this.#leftToRight(SUMS, () => this.#leftToRight(PRODUCTS, () => this.#signed()))
  }

  #leftToRight(operations: Operations, operand: () => Rational): Rational {
    let value = operand()
    for (;;) {
      const operation = operations.get(this.#peek().text)
      if (!operation) return value
      this.#next++
      value = operation(value, operand())
    }
  }

  /** A sign binds less tightly than a power: -2^2 is -4. */
  #signed(): Rational {
    return this.#nested(() => {
      if (this.#accept('-')) return negate(this.#signed())
      if (this.#accept('+')) return this.#signed()
      const base = this.#operand()
      return this.#accept('^') ? power(base, this.#signed()) : base
    })
  }

  #operand(): Rational {
    const token = this.#peek()
    this.#next++
    if (token.type === 'number') return numberOf(token.text)
    if (token.type === 'name') {
      return this.#accept('(') ? applyFunction(token.text, this.#given()) : constantOf(token.text)
    }
    if (token.text === '(') {
      const value = this.#sum()
      this.#expectClosing(token)
      return value
    }
    if (token.type === 'end')
      throw new CalculatorError('the expression ends where a number is expected')
    throw new CalculatorError(`a number is missing before "${token.text}" at position ${token.at}`)
  }

  #given(): Rational[] {
    const opening = this.#tokens[this.#next - 1]
    if (this.#accept(')')) return []
    const values = [this.#sum()]
    while (this.#accept(',')) values.push(this.#sum())
    this.#expectClosing(opening)
    return values
  }

  #expectClosing(opening: Token | undefined): void {
    if (this.#accept(')')) return
    throw new CalculatorError(`the "(" at position ${opening?.at ?? 0} is not closed`)
  }

  #nested(parse: () => Rational): Rational {
    if (++this.#depth > DEEPEST) {
      throw new CalculatorError(`the expression is nested deeper than ${DEEPEST} levels`)
    }
    const value = parse()
    this.#depth--
    return value
  }

  #accept(text: string): boolean {
    if (this.#peek().text !== text) return false
    this.#next++
    return true
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? { type: 'end', text: '', at: 0 }
  }
}

function numberOf(text: string): Rational {
  const [digits = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = digits.split('.')
  if (Math.abs(Number(exponent)) > LARGEST_EXPONENT) {
    throw new CalculatorError(`the exponent of "${text}" is larger than ${LARGEST_EXPONENT}`)
  }
  const value = rational(BigInt(`${whole}${fraction}`), 10n ** BigInt(fraction.length))
  return multiply(value, power(rational(10n), rational(BigInt(exponent))))
}
