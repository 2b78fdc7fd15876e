/** Shorter values are not masked in answers: they may be ordinary words, as `lm-studio` is. */
const SHORTEST = 12

/** The names of secret values in a map, for example of HTTP headers. */
const SECRET_NAME = /auth|key|token|secret|passw|credential|cookie|session|signature/i

/** Whether the name of a value in a map says that the value is secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}

/** Whether a value of an environment variable looks like a key, and not like a path, an address or a sentence. */
export function isLikeToken(value: string): boolean {
  const isWord = !/\s|:\/\/|^[/~.]|^[a-z]:\\/i.test(value)
  return isWord && /[a-z]/i.test(value) && /\d/.test(value)
}

const SCHEME = /^[a-z]+\s+(?=\S+$)/i

/**
 * The texts that would reveal the secrets in an answer: the secrets, their parts without the scheme of an HTTP header
 * ("Bearer …"), and their spellings in JSON and in URLs. The longest come first, as one may begin with another.
 * @param shortest the length from which on a text counts; by default that of texts that are no ordinary words
 */
export function echoesOf(secrets: readonly string[], shortest = SHORTEST): readonly string[] {
  const bare = secrets.flatMap((secret) => [secret, secret.replace(SCHEME, '')])
  const spelled = bare.flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    inAddress(secret),
  ])
  return [...new Set(spelled)]
    .filter(({ length }) => length >= shortest)
    .sort((left, right) => right.length - left.length)
}

function inAddress(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    // An unpaired surrogate cannot be encoded, so no URL contains it.
    return text
  }
}
