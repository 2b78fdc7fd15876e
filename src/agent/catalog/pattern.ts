/** Whether a text matches a compiled pattern. */
export type Matcher = (text: string) => boolean

/**
 * Says why a pattern of tool names is not valid. Undefined if it is. AW-33
 */
export function patternFault(pattern: string): string | undefined {
  if (pattern === '') return 'an empty pattern matches nothing'
  return tokensOf(pattern).at(-1) === '\\' ? 'it ends with a "\\" that escapes nothing' : undefined
}

/**
 * Compiles a pattern of tool names: `*` is any run of characters, `\` makes the next character literal, and everything
 * else is literal. It matches the whole text, case-sensitively, in time linear in its length for each `*`. AW-31
 */
export function matcherOf(pattern: string): Matcher {
  const [first = '', ...rest] = literalsOf(pattern)
  const last = rest.pop()
  if (last === undefined) return (text) => text === first
  return (text) => {
    if (text.length < first.length + last.length) return false
    if (!text.startsWith(first) || !text.endsWith(last)) return false
    // Taking the earliest place of each literal leaves the most room for those that follow.
    let from = first.length
    const end = text.length - last.length
    for (const literal of rest) {
      const at = text.indexOf(literal, from)
      if (at === -1 || at + literal.length > end) return false
      from = at + literal.length
    }
    return true
  }
}

/** The literal texts between the `*` of a pattern. */
function literalsOf(pattern: string): string[] {
  const literals = ['']
  const add = (text: string) => literals.push(`${literals.pop() ?? ''}${text}`)
  for (const token of tokensOf(pattern)) {
    if (token === '*') literals.push('')
    else add(token.length > 1 && token.startsWith('\\') ? token.slice(1) : token)
  }
  return literals
}

/** The characters of a pattern, each with the escape before it. */
function tokensOf(pattern: string): readonly string[] {
  return [...pattern.matchAll(/\\?./gsu)].map(([token]) => token)
}
