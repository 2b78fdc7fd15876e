interface Piece {
  readonly type: 'number' | 'function' | 'operator' | '(' | ')' | ','
  /** The piece as it is written in an expression. */
  readonly text: string
  readonly start: number
  readonly end: number
}

/** The maximum number of pieces in an expression. */
const LONGEST = 120

const WORDS: { readonly [word: string]: string } = {
  plus: '+',
  minus: '-',
  times: '*',
  'multiplied by': '*',
  x: '*',
  'divided by': '/',
  over: '/',
  mod: '%',
  modulo: '%',
  'to the power of': '^',
}

const PIECE =
  /(\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)|\b(sqrt|abs|round|floor|ceil|trunc|min|max)(?=\s{0,4}\()|(\*\*|[-+*/^×÷·−%])|([(),])|\b(plus|minus|times|multiplied by|x|divided by|over|modulo|mod|to the power of)\b/giu
const PERCENT_OF = /(?<![\d.])(\d{1,30}(?:\.\d{1,30})?)\s{0,4}(?:%|percent) of (?=\d)/gi

/** The arithmetic expressions in a text, in order and without repetitions. */
export function expressionsIn(text: string): readonly string[] {
  const plain = text.replace(PERCENT_OF, '$1 / 100 * ')
  const found = runsOf(plain).flatMap((run) => expressionOf(run, plain) ?? [])
  return [...new Set(found)]
}

/** Groups pieces that are separated only by white space. */
function runsOf(text: string): Piece[][] {
  const runs: Piece[][] = []
  let end = -1
  for (const match of text.matchAll(PIECE)) {
    const piece = pieceOf(match)
    const isNext = end >= 0 && text.slice(end, piece.start).trim() === ''
    const run = runs.at(-1)
    if (isNext && run && run.length < LONGEST) run.push(piece)
    else runs.push([piece])
    end = piece.end
  }
  return runs
}

function pieceOf(match: RegExpExecArray): Piece {
  const [whole, number, name, operator, bracket, word] = match
  const place = { start: match.index, end: match.index + whole.length }
  if (number !== undefined) return { ...place, type: 'number', text: number.replaceAll(',', '') }
  if (name !== undefined) return { ...place, type: 'function', text: name.toLowerCase() }
  if (bracket !== undefined) return { ...place, type: bracket as '(' | ')' | ',', text: bracket }
  const text = operator ?? WORDS[(word ?? '').toLowerCase()] ?? ''
  return { ...place, type: 'operator', text }
}

/** Trims pieces that cannot begin or end an expression; `undefined` if no expression remains. */
function expressionOf(run: readonly Piece[], text: string): string | undefined {
  let pieces = run
  while (pieces.length > 0 && !isExpression(pieces)) {
    const [first] = pieces
    const canBegin = first && ['number', 'function', '('].includes(first.type)
    pieces = canBegin ? pieces.slice(0, -1) : pieces.slice(1)
  }
  return pieces.length >= 3 && !isLabel(pieces, text) ? joinPieces(pieces, text) : undefined
}

interface Reading {
  readonly depth: number
  readonly wantsOperand: boolean
}

/** Whether operands and operators alternate, and brackets are balanced. */
function isExpression(pieces: readonly Piece[]): boolean {
  let reading: Reading | undefined = { depth: 0, wantsOperand: true }
  for (const piece of pieces) {
    reading = reading.wantsOperand ? readOperand(piece, reading) : readOperator(piece, reading)
    if (!reading) return false
  }
  return !reading.wantsOperand && reading.depth === 0
}

function readOperand({ type, text }: Piece, reading: Reading): Reading | undefined {
  if (type === 'number') return { ...reading, wantsOperand: false }
  if (type === '(') return { ...reading, depth: reading.depth + 1 }
  return type === 'function' || text === '-' ? reading : undefined
}

function readOperator({ type }: Piece, { depth }: Reading): Reading | undefined {
  if (type === ')') return depth > 0 ? { depth: depth - 1, wantsOperand: false } : undefined
  const goesOn = type === 'operator' || (type === ',' && depth > 0)
  return goesOn ? { depth, wantsOperand: true } : undefined
}

const ASKED = /\b(?:what is|what's|how much is|calculate|compute)\s{1,4}$/i

/** Whether pieces are a date or a number such as 2026-11-21 or 555-1234; "What is 10-3?" is a difference. */
function isLabel(pieces: readonly Piece[], text: string): boolean {
  const operators = pieces.filter(({ type }) => type === 'operator')
  const start = pieces[0]?.start ?? 0
  const before = text.slice(Math.max(0, start - 20), start)
  if (operators.length === 1 && ASKED.test(before)) return false
  const isTight = !/\s/.test(sliceOf(pieces, text))
  return isTight && operators.length > 0 && operators.every(({ text: sign }) => sign === '-')
}

/** The text of an expression, unchanged if it is already in the tool's syntax. */
function joinPieces(pieces: readonly Piece[], text: string): string {
  const written = sliceOf(pieces, text)
  const isSame = pieces.every(
    (piece) => text.slice(piece.start, piece.end).toLowerCase() === piece.text,
  )
  return isSame ? written : pieces.map((piece) => piece.text).join(' ')
}

function sliceOf(pieces: readonly Piece[], text: string): string {
  return text.slice(pieces[0]?.start, pieces.at(-1)?.end)
}
