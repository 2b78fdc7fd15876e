/** In answers: a shorter value may be a word of its own, as `lm-studio` is. */
const SHORTEST = 12

/** Of the values of a map, as of headers, those are secret to a reader whose names say so. */
const SECRET_NAME = /auth|key|token|secret|passw|credential|cookie|session|signature/i

/** Whether the value of a name in a map of secrets is one that an answer must not have. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}

/** Whether a value from the environment is made as keys are, and is no path, address or sentence. */
export function isLikeToken(value: string): boolean {
  const isWord = !/\s|:\/\/|^[/~.]|^[a-z]:\\/i.test(value)
  return isWord && /[a-z]/i.test(value) && /\d/.test(value)
}

const SCHEME = /^[a-z]+\s+(?=\S+$)/i

/**
 * The texts that give secrets away where an answer has them: the secrets themselves, without the scheme of a header,
 * and as JSON and addresses spell them. The longest come first: one may be the head of another.
 */
export function echoesOf(secrets: readonly string[]): readonly string[] {
  const bare = secrets.flatMap((secret) => [secret, secret.replace(SCHEME, '')])
  const spelt = bare.flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    inAddress(secret),
  ])
  return [...new Set(spelt)]
    .filter(({ length }) => length >= SHORTEST)
    .sort((left, right) => right.length - left.length)
}

function inAddress(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    // Half a character: no address has it.
    return text
  }
}
