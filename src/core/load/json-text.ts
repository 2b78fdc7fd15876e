import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { type Position, positionAt, READING } from './json-places.ts'
import { repeatedKeyIn, repeatedText } from './repeated-keys.ts'

/** Makes the error of a text that is not read. */
export type JsonFailure = (reason: string, position?: Position, pointer?: string) => Error

/**
 * Reads JSON with comments and trailing commas, in which no object has a key twice.
 * @param name what the text is called at the beginning of a reason
 * @throws the error that `fail` makes
 */
export function jsonIn(text: string, name: string, fail: JsonFailure): unknown {
  const errors: ParseError[] = []
  const deeply = <T>(read: () => T): T => {
    try {
      return read()
    } catch (error) {
      if (error instanceof RangeError) throw fail(`${name} is nested too deep`)
      throw error
    }
  }
  const root = deeply(() => parseTree(text, errors, READING))
  const [first] = errors
  if (root && !first) {
    const repeated = repeatedKeyIn(text, root)
    if (repeated) throw fail(repeatedText(repeated), repeated.position, repeated.pointer)
    return deeply(() => readValue(root))
  }
  const what = first ? wordsOf(printParseErrorCode(first.error)) : 'it is empty'
  throw fail(`${name} is not JSON: ${what}`, positionAt(text, first?.offset ?? 0))
}

/** Turns an error code into words: "ValueExpected" becomes "value expected". */
function wordsOf(code: string): string {
  return code.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
}

/** Builds objects without assignment, so that `__proto__` becomes an ordinary key, which the check then refuses. */
function readValue({ type, value, children = [] }: Node): unknown {
  if (type === 'array') return children.map(readValue)
  if (type !== 'object') return value
  const entries = children.flatMap(({ children: pair = [] }) => {
    const [key, inner] = pair
    return key && inner ? [[String(key.value), readValue(inner)] as const] : []
  })
  return Object.fromEntries(entries)
}
