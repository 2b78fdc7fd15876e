import { isIPv6 } from 'node:net'
import { ibanLength, isCardNumber, isIban } from './checksums.ts'
import { jsonWebTokens, mailAddresses, type Place, privateKeys } from './scans.ts'

/** The range of a match in a text. */
export interface Span {
  readonly start: number
  readonly end: number
  readonly label: string
}

interface Rule {
  readonly label: string
  /** Has the global flag, and all its repetitions are bounded, so that it runs in linear time. */
  readonly pattern?: RegExp
  /** For searches that such a pattern cannot express. */
  readonly scan?: (text: string) => Iterable<Place>
  /** How many characters of a match count; 0 rejects the match. */
  readonly lengthOf?: (match: string) => number
}

const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)'

const API_KEYS = [
  'sk-[A-Za-z0-9_-]{16,256}',
  '(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{16,128}',
  '(?:AKIA|ASIA)[A-Z0-9]{16}',
  'gh[oprsu]_[A-Za-z0-9]{36,255}',
  'github_pat_[A-Za-z0-9_]{22,255}',
  'glpat-[A-Za-z0-9_-]{20,64}',
  'xox[abeoprs]-[A-Za-z0-9-]{10,255}',
  'AIza[A-Za-z0-9_-]{35}',
  'GOCSPX-[A-Za-z0-9_-]{28}',
  'hf_[A-Za-z0-9]{30,64}',
  'npm_[A-Za-z0-9]{36}',
  'pypi-[A-Za-z0-9_-]{50,255}',
  'SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{32,64}',
]

const PHONES = [
  // International, with or without the zero in parentheses.
  '\\+\\d(?:[ ()./-]{0,2}\\d){6,14}',
  // North American.
  '(?:\\(\\d{3}\\) ?|\\d{3}[-.])\\d{3}[-. ]\\d{4}',
  // National, with leading zero, in groups.
  '\\(?0\\d{1,5}\\)?[ /-]\\d{2,9}(?:[ -]\\d{2,9}){0,4}',
]

/** The built-in rules, by their names in the settings. */
export const RULES: { readonly [name: string]: Rule } = {
  private_key: { label: 'KEY', scan: privateKeys },
  api_key: {
    label: 'KEY',
    pattern: new RegExp(`(?<![A-Za-z0-9])(?:${API_KEYS.join('|')})`, 'g'),
    scan: jsonWebTokens,
  },
  email: { label: 'EMAIL', scan: mailAddresses },
  iban: {
    label: 'IBAN',
    pattern: /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]){11,30}/g,
    lengthOf: ibanPart,
  },
  card: { label: 'CARD', pattern: /(?<![\d.])[2-6](?:[ -]?\d){12,18}/g, lengthOf: cardPart },
  phone: {
    label: 'PHONE',
    pattern: new RegExp(`(?<![\\d+.\\p{L}])(?:${PHONES.join('|')})(?!\\d)`, 'gu'),
    lengthOf: phonePart,
  },
  ipv6: {
    label: 'IP',
    pattern:
      /(?<![\p{L}\p{N}:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:\.\d{1,3}){0,3}(?![\p{L}\p{N}])/gu,
    lengthOf: ipv6Part,
  },
  ipv4: {
    label: 'IP',
    pattern: new RegExp(`(?<![\\d.])${OCTET}(?:\\.${OCTET}){3}(?!\\.?\\d)`, 'g'),
  },
}

/** All matches of a rule in a text: first those of its pattern from left to right, then those of its scan. */
export function* findSpans(text: string, rule: Rule): Generator<Span> {
  if (rule.pattern) yield* matchesIn(text, rule, rule.pattern)
  for (const [start, end] of rule.scan?.(text) ?? []) yield { start, end, label: rule.label }
}

function* matchesIn(text: string, { label, lengthOf }: Rule, pattern: RegExp): Generator<Span> {
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const start = match.index
    const length = lengthOf ? lengthOf(match[0]) : match[0].length
    // A rejected match may contain a valid one ("order 12 4111 1111 …"), so the search continues one character later.
    pattern.lastIndex = start + Math.max(length, 1)
    if (length > 0) yield { start, end: start + length, label }
  }
}

/** The length of the longest prefix that is a card number and does not end within a group of digits. */
function cardPart(match: string): number {
  for (let end = match.length; end >= 13; end--) {
    const isInGroup = /\d/.test(match[end] ?? '') || !/\d/.test(match[end - 1] ?? '')
    if (!isInGroup && isCardNumber(match.slice(0, end).replaceAll(/[ -]/g, ''))) return end
  }
  return 0
}

function ibanPart(match: string): number {
  const length = ibanLength(match.slice(0, 2))
  if (length === undefined) return 0
  let end = 0
  let characters = ''
  for (; end < match.length && characters.length < length; end++) {
    const character = match[end] ?? ''
    if (character !== ' ' && character !== '-') characters += character
  }
  return characters.length === length && isIban(characters) ? end : 0
}

const DATE = /^\d{4}-\d\d-\d\d|^\d\d-\d\d-\d{4}/

function phonePart(match: string): number {
  const digits = match.replaceAll(/\D/g, '').length
  return digits >= 7 && digits <= 15 && !DATE.test(match) ? match.length : 0
}

/** Rejects times, and the "::" operator of programming languages as in "a::b". */
function ipv6Part(match: string): number {
  const address = match.endsWith('::') ? match : match.replace(/:$/, '')
  return address.length > 3 && /\d/.test(address) && isIPv6(address) ? address.length : 0
}
