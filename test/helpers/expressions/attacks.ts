import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** Repetitions of fewer times cost nothing worth looking at. */
const MANY = 16
const CHARACTERS = Array.from('aA0 \t/-.,_:"\'`<>{}[]()\\*#~=@!\n\r\u3000é日😀\0')
const VARIANTS = [0, 1, 2, 3]
const ENDINGS = ['', '\0', '\n', '!', 'a', ' \0']

/** A text that is one thing over and over. */
export interface Attack {
  readonly before: string
  readonly repeated: string
  readonly after: string
}

/** Texts over which an engine that goes back may take long: each repetition of a pattern, many times, then an end that does not fit. */
export function attacksOn(source: string, flags: string): Attack[] {
  const kind = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') }
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, kind)
  const attacks = repetitionsIn(pattern).flatMap((quantifier) =>
    VARIANTS.flatMap((variant) => {
      const maker = new Maker(flags, variant)
      const before = maker.before(quantifier)
      const repeated = [0, 1, 2].map((other) =>
        new Maker(flags, variant + other).of(quantifier.element),
      )
      return repeated.flatMap((text) => [
        { before, repeated: text },
        { before: '', repeated: before + text },
        { before, repeated: text + before },
      ])
    }),
  )
  const all = attacks.flatMap((attack) => ENDINGS.map((after) => ({ ...attack, after })))
  const texts = new Map(all.map((attack) => [JSON.stringify(attack), attack]))
  return [...texts.values()].filter(({ repeated }) => repeated !== '')
}

/** An attack of about so many characters. */
export function textOf({ before, repeated, after }: Attack, length: number): string {
  return before + repeated.repeat(Math.ceil(length / repeated.length)) + after
}

function repetitionsIn(pattern: AST.Pattern): AST.Quantifier[] {
  const found: AST.Quantifier[] = []
  const look = (node: AST.Node) => {
    if (node.type === 'Quantifier' && node.max >= MANY) found.push(node)
    for (const inner of innerOf(node)) look(inner)
  }
  look(pattern)
  return found
}

function innerOf(node: AST.Node): readonly AST.Node[] {
  if ('alternatives' in node) return node.alternatives
  if (node.type === 'Quantifier') return [node.element]
  return node.type === 'Alternative' ? node.elements : []
}

/** Writes texts that parts of a pattern fit; of several that fit, another one for each variant. */
class Maker {
  readonly #flags: string
  readonly #variant: number

  constructor(flags: string, variant: number) {
    this.#flags = flags
    this.#variant = variant
  }

  /** What a text has before this part. */
  before(node: AST.Node): string {
    const { parent } = node
    if (!parent) return ''
    const siblings = parent.type === 'Alternative' ? parent.elements : []
    const earlier = siblings.slice(0, Math.max(0, siblings.indexOf(node as AST.Element)))
    return this.before(parent) + earlier.map((sibling) => this.of(sibling)).join('')
  }

  of(node: AST.Node): string {
    switch (node.type) {
      case 'Character':
        return String.fromCodePoint(node.value)
      case 'CharacterSet':
      case 'CharacterClass':
        return this.#oneOf(node.raw)
      case 'Quantifier':
        return this.of(node.element).repeat(Math.max(node.min, this.#variant % 2, 0))
      case 'Alternative':
        return node.elements.map((element) => this.of(element)).join('')
      case 'Group':
      case 'CapturingGroup':
        return this.of(node.alternatives[this.#variant % node.alternatives.length] as AST.Node)
      default:
        return ''
    }
  }

  #oneOf(raw: string): string {
    const fits = new RegExp(`^${raw}$`, this.#flags.replace(/[gy]/g, ''))
    const fitting = CHARACTERS.filter((character) => fits.test(character))
    return fitting[this.#variant % fitting.length] ?? ''
  }
}
