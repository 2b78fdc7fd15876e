/** Whether a pattern matches a path. A pattern without "/" matches the name in any folder. */
export function isMeant(names: readonly string[], pattern: string): boolean {
  const wanted = pattern.split('/').filter((name) => name !== '' && name !== '.')
  const whole = wanted.length > 1 || pattern.startsWith('/') ? wanted : ['**', ...wanted]
  return areAlike(names.map(folded), whole.map(folded), nameIsLike)
}

/**
 * Normalizes a name so that names that some file system treats as equal become equal: it ignores case, width and
 * invisible characters, and (as on Windows) dots and spaces at the end.
 */
export function folded(name: string): string {
  const seen = name.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
  const plain = seen.toLowerCase()
  let end = plain.length
  while (end > 0 && '. '.includes(plain.charAt(end - 1))) end--
  return end === 0 ? plain : plain.slice(0, end)
}

function nameIsLike(name: string, pattern: string): boolean {
  return areAlike([...name], [...pattern], (one, other) => other === '?' || one === other)
}

/** Matches a list against a pattern list, in which `*` (characters) or `**` (names) stands for any number of items. */
function areAlike(
  list: readonly string[],
  pattern: readonly string[],
  isLike: (one: string, other: string) => boolean,
): boolean {
  const isAny = (one: string | undefined) => one === '**' || (one === '*' && isLike !== nameIsLike)
  let at = 0
  let from = 0
  let star = -1
  let resumed = 0
  while (at < list.length) {
    const wanted = pattern[from]
    if (isAny(wanted)) {
      star = from++
      resumed = at
    } else if (wanted !== undefined && isLike(list[at] as string, wanted)) {
      at++
      from++
    } else {
      if (star === -1) return false
      // Let the last wildcard match one more item. Earlier wildcards need no second try.
      at = ++resumed
      from = star + 1
    }
  }
  return pattern.slice(from).every(isAny)
}
