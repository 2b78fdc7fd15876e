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
  const spelled = bare.flatMap((secret) => [secret, escaped(secret), inAddress(secret)])
  return longestFirst(spelled, shortest)
}

/** Pieces of Base64 shorter than this occur in other data too. */
const SHORTEST_BASE64 = 8

/**
 * The texts that would reveal the secrets in a log or an error, longest first: their echoes, and the forms in which
 * programs in TypeScript and Python write them into addresses, JSON and Base64, also within a longer text.
 */
export function spellingsOf(secrets: readonly string[], shortest: number): readonly string[] {
  const echoes = echoesOf(secrets, shortest)
  const spelled = secrets.flatMap((secret) => [
    ...inJson(secret),
    ...inAddresses(secret),
    ...base64Of(Buffer.from(secret)),
  ])
  return longestFirst([...echoes, ...spelled], shortest)
}

function longestFirst(texts: readonly string[], shortest: number): readonly string[] {
  return [...new Set(texts)]
    .filter(({ length }) => length >= shortest)
    .sort((left, right) => right.length - left.length)
}

/** As TypeScript and Python write it into JSON, also into a text within JSON. */
function inJson(text: string): readonly string[] {
  const unit = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`
  const json = escaped(text)
  const ascii = json.replaceAll(/[\u007f-\uffff]/g, unit)
  return [ascii, escaped(json), escaped(ascii)]
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** As part of an address, of a query, and as the functions `quote` and `quote_plus` of Python write them. */
function inAddresses(text: string): readonly string[] {
  const component = inAddress(text)
  const quoted = component.replaceAll(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  const inQuery = new URLSearchParams([['', text]]).toString().slice(1)
  return [quoted.replaceAll('%2F', '/'), quoted, quoted.replaceAll('%20', '+'), inQuery]
}

/** The Base64 of bytes, alone and as it stands in the Base64 of a longer text, also with the alphabet of addresses. */
function base64Of(bytes: Buffer): readonly string[] {
  const within = [0, 1, 2].map((before) => {
    const known = Math.floor(((before + bytes.length) * 8) / 6)
    return Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(Math.ceil((before * 8) / 6), known)
  })
  return [bytes.toString('base64'), ...within]
    .filter(({ length }) => length >= SHORTEST_BASE64)
    .flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')])
}

function inAddress(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    // An unpaired surrogate cannot be encoded, so no URL contains it.
    return text
  }
}
