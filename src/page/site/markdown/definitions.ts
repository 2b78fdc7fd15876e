import { type Links, tokensOf } from './lexer.ts'

/** The most names that other sections know: each text between brackets is compared with all of them. */
const MAX_NAMES = 1000
const DEFINITION = /^ {0,3}\[[^[\]\n]{1,200}\]:[^\n]{1,2000}$/

/** The addresses that a section names in lines outside of code, for the other sections. */
export function definitionsIn(text: string, known: Links): Links {
  if (!text.includes(']:')) return known
  const lines = linesOutsideCode(text).filter((line) => DEFINITION.test(line))
  const room = MAX_NAMES - Object.keys(known).length
  if (lines.length === 0 || room <= 0) return known
  const { links } = tokensOf(lines.slice(0, room).join('\n\n'))
  return Object.assign(Object.create(null) as Links, links, known)
}

function linesOutsideCode(text: string): readonly string[] {
  let fence: string | undefined
  return text.split('\n').filter((line) => {
    const found = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === undefined) fence = found
    else if (found?.startsWith(fence)) fence = undefined
    return fence === undefined
  })
}
