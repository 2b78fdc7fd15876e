import { folded } from '@braidwork/agent/internal'

/** The place of a word in a text: its start, and its end. */
export type Mark = readonly [from: number, to: number]

/** A short piece of a text, and where the words are in it. */
export interface Excerpt {
  readonly text: string
  readonly marks: readonly Mark[]
}

/** How many characters an excerpt has before the first word, and at most. */
const BEFORE = 40
const LONGEST = 160
/** How far a cut is moved so that it separates no word. */
const NEAR = 15

/** The piece of a text, which is on one line, around the first of some folded words. */
export function excerptOf(text: string, words: readonly string[]): Excerpt {
  const first = firstOf(text, words)
  const from = first <= BEFORE ? 0 : startOfWord(text, first - BEFORE)
  const to = text.length - from <= LONGEST ? text.length : endOfWord(text, from + LONGEST)
  const [before, after] = [from > 0 ? '…' : '', to < text.length ? '…' : '']
  const piece = `${before}${text.slice(from, to)}${after}`
  return { text: piece, marks: marksIn(piece, words) }
}

/** Where some folded words are in a text. Marks that touch are one. */
export function marksIn(text: string, words: readonly string[]): readonly Mark[] {
  const { letters, places } = lettersOf(text)
  const all = words.flatMap((word) => placesOf(letters, word))
  const marks: [number, number][] = []
  for (const [start, end] of all.sort(([left], [right]) => left - right)) {
    const [from = 0, to = 0] = [places[start], places[end]]
    const last = marks.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else marks.push([from, to])
  }
  return marks
}

function placesOf(letters: string, word: string): readonly Mark[] {
  const marks: Mark[] = []
  for (let at = letters.indexOf(word); at >= 0; at = letters.indexOf(word, at + word.length)) {
    marks.push([at, at + word.length])
  }
  return marks
}

/** A text with its letters folded one by one, and for each of them its place in the text. */
function lettersOf(text: string): { readonly letters: string; readonly places: readonly number[] } {
  let letters = ''
  const places: number[] = []
  let at = 0
  for (const character of text) {
    const fold = folded(character)
    for (let count = 0; count < fold.length; count++) places.push(at)
    letters += fold
    at += character.length
  }
  return { letters, places: [...places, at] }
}

/** The place of the first word in a text, which may be very long: most letters are folded to one. */
function firstOf(text: string, words: readonly string[]): number {
  const whole = folded(text)
  const found = words.map((word) => whole.indexOf(word)).filter((at) => at >= 0)
  const first = found.length === 0 ? 0 : Math.min(...found)
  return whole.length === text.length ? first : (lettersOf(text).places[first] ?? 0)
}

function startOfWord(text: string, at: number): number {
  const space = text.indexOf(' ', at)
  return space >= 0 && space - at <= NEAR ? space + 1 : wholeCharacter(text, at)
}

function endOfWord(text: string, at: number): number {
  const space = text.lastIndexOf(' ', at)
  return space >= 0 && at - space <= NEAR ? space : wholeCharacter(text, at)
}

/** A place that separates no surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}
