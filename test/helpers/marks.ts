/** Stands in every secret of the tests. `.ci/run` searches for it in all that a run prints. */
const MARK = 'sesame'

/** Keys that every command of the tests finds in its environment. */
export const MARKED_KEYS: NodeJS.ProcessEnv = Object.fromEntries(
  ['OPENAI', 'ANTHROPIC', 'DEEPSEEK', 'GROQ', 'XAI', 'MISTRAL', 'OPENROUTER', 'TOGETHER'].map(
    (name) => [`${name}_API_KEY`, `sk-${name.toLowerCase()}-${MARK}`],
  ),
)

/** What a program printed, where no secret is in it. */
export function unmarked(printed: string): string {
  const at = printed.indexOf(MARK)
  if (at < 0) return printed
  throw new Error(`A secret was printed: ${printed.slice(Math.max(0, at - 200), at + 100)}`)
}
