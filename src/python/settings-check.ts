/** The most settings of a plugin whose checks are remembered. A program has few, or those of each user. */
const MOST = 8

/** Why a class refuses settings; undefined if it takes them. */
type Refusal = { readonly path: readonly string[]; readonly message: string } | undefined

interface CheckAnswer {
  readonly issues?: readonly NonNullable<Refusal>[]
}

/**
 * The check of settings by the class of a plugin, which may refuse what its JSON Schema takes.
 * @param ask asks Python for the refusal; it is called once for equal settings
 */
export function settingsCheck(
  ask: (settings: unknown) => Promise<unknown>,
): (settings: unknown) => Promise<CheckAnswer> {
  const known = new Map<string, Promise<CheckAnswer>>()
  return (settings) => {
    const text = JSON.stringify(settings)
    const answer = known.get(text) ?? answerOf(ask(settings))
    known.delete(text)
    known.set(text, answer)
    for (const oldest of [...known.keys()].slice(0, -MOST)) known.delete(oldest)
    // The caller of the check gets this error; a later check asks again.
    answer.catch(() => known.delete(text))
    return answer
  }
}

async function answerOf(asked: Promise<unknown>): Promise<CheckAnswer> {
  const refusal = (await asked) as Refusal
  return refusal ? { issues: [refusal] } : {}
}
