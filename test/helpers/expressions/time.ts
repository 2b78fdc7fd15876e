import { join } from 'node:path'
import { createContext, Script } from 'node:vm'
import { attacksOn, textOf } from './attacks.ts'
import { type Expression, run } from './find.ts'

/** So many characters, and the milliseconds beyond which an expression is slow over them: in proportion it takes a tenth of that. */
interface Trial {
  readonly length: number
  readonly slow: number
}

/** Short texts first: over them the slowest end soon. */
const TRIALS: { readonly [language in Expression['language']]: readonly Trial[] } = {
  TypeScript: [
    { length: 6_000, slow: 5 },
    { length: 24_000, slow: 20 },
  ],
  Python: [
    { length: 2_000, slow: 10 },
    { length: 8_000, slow: 20 },
  ],
}
const GIVEN_UP = 500

export interface Slow {
  readonly attack: string
  readonly milliseconds: number
}

const ONCE = new Script(`
  slowest = [0, '']
  for (text of texts) {
    const began = now()
    if (expression.global) text.replace(expression, '')
    else { expression.lastIndex = 0; expression.exec(text) }
    const took = now() - began
    if (took > slowest[0]) slowest = [took, text]
    if (took > slow) break
  }`)

/** The text over which an expression takes longest, if that is slow. */
export function slowOver(expression: Expression): Slow | undefined {
  const { source, flags, language } = expression
  const attacks = attacksOn(source, flags)
  const look = language === 'Python' ? slowestInPython : slowestInTypeScript
  for (const { length, slow } of attacks.length > 0 ? TRIALS[language] : []) {
    const texts = attacks.map((attack) => textOf(attack, length))
    const [milliseconds, text] = look(expression, texts, slow)
    if (milliseconds >= slow) return { attack: shown(text), milliseconds }
  }
  return undefined
}

type Slowest = readonly [milliseconds: number, text: string]

function slowestInTypeScript(
  { source, flags }: Expression,
  texts: readonly string[],
  slow: number,
): Slowest {
  const expression = new RegExp(source, flags)
  for (let left = texts; left.length > 0; ) {
    const [first, text] = slowest(expression, left, slow)
    if (first < slow) return [first, text]
    // A machine that is busy elsewhere is slow now and then, an expression always.
    const again = Math.min(...[1, 2].map(() => slowest(expression, [text], slow)[0]))
    if (again >= slow) return [again, text]
    left = left.slice(left.indexOf(text) + 1)
  }
  return [0, '']
}

function slowest(expression: RegExp, texts: readonly string[], slow: number): Slowest {
  const now = () => performance.now()
  const context = createContext({ expression, texts, now, slow, slowest: [0, ''] })
  try {
    ONCE.runInContext(context, { timeout: GIVEN_UP + slow * 10 })
    return context['slowest'] as Slowest
  } catch {
    return [GIVEN_UP, context['text'] as string]
  }
}

function slowestInPython({ source }: Expression, texts: readonly string[], slow: number): Slowest {
  const script = join(import.meta.dirname, 'time_pattern.py')
  return run('python3', [script], JSON.stringify({ source, texts, slow })) as Slowest
}

function shown(text: string): string {
  return `${JSON.stringify(text.slice(0, 40))}… and ${JSON.stringify(text.slice(-3))}`
}
