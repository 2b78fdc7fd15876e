import leven from 'leven'

/** What a member of a plugin is, as far as its name is judged by it. */
export type MemberSort = 'function' | 'list' | 'value'

/** The names that the host reads of a plugin of this kind, and that the plugin does not have. */
export interface MissingNames {
  readonly hooks: readonly string[]
  readonly values: readonly string[]
  /** The values that are lists. */
  readonly lists: readonly string[]
}

/** A name or word with fewer letters is near to many ordinary words: `calc` to `call`, `get_tabs` to `get_tags`. */
const FEWEST_LETTERS = 6
/** Longer names are not compared. */
const LONGEST = 200

/**
 * The hook or value that the name of a plugin's member is almost certainly meant for. A plugin may have any other members,
 * so a name that is merely near is no misspelling.
 */
export function meantBy(
  member: string,
  sort: MemberSort,
  missing: MissingNames,
): string | undefined {
  const names = sort === 'function' ? [...missing.hooks, ...missing.values] : missing.values
  const meant = names.find((name) => isMisspelled(member, name))
  if (meant !== undefined || sort !== 'list') return meant
  return missing.lists.find((name) => fold(name) === `${fold(member)}s`)
}

/** The same letters in another case style or in British spelling, two neighboring letters swapped, or one letter of a long word wrong. */
function isMisspelled(name: string, meant: string): boolean {
  const isConstant = name === name.toUpperCase()
  const own = fold(name)
  const other = fold(meant)
  if (isConstant || name.length > LONGEST || other.length < FEWEST_LETTERS) return false
  return american(own) === other || isSwapped(own, other) || hasWrongLetter(name, meant)
}

/** Hooks are spelled `finalize`, and not `finalise`. */
function american(name: string): string {
  return name.replace('ise', 'ize')
}

function isSwapped(own: string, other: string): boolean {
  const at = [...own].findIndex((letter, index) => letter !== other[index])
  const swapped = `${other.slice(0, at)}${other[at + 1]}${other[at]}${other.slice(at + 2)}`
  return at !== -1 && own === swapped
}

/** Whether one word of a name of several has one letter too many, too few, or another one. */
function hasWrongLetter(name: string, meant: string): boolean {
  const own = wordsOf(name)
  const other = wordsOf(meant)
  if (own.length !== other.length || own.length < 2 || hasOtherEnding(fold(name), fold(meant))) {
    return false
  }
  const pairs = own.map((word, at) => [word, other[at] ?? ''] as const)
  const [first, ...more] = pairs.filter(([word, right]) => word !== right)
  if (first === undefined || more.length > 0) return false
  return Math.min(...first.map(({ length }) => length)) >= FEWEST_LETTERS && leven(...first) === 1
}

/** Another ending makes another word: `get_tag`, `edit_message`. */
function hasOtherEnding(own: string, other: string): boolean {
  return own.startsWith(other) || other.startsWith(own)
}

/** `processChunk` and `process_chunk` have the words `process` and `chunk`. */
function wordsOf(name: string): readonly string[] {
  const spaced = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return spaced.split(/[ _]/).filter((word) => word !== '')
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll('_', '')
}
