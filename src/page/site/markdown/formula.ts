import temml, { type Node } from 'temml'

/** An element of MathML as the page makes it. */
export interface MathElement {
  readonly tag: string
  readonly attributes: { readonly [name: string]: string }
  readonly style: { readonly [name: string]: string }
  readonly children: readonly (MathElement | string)[]
}

const MAX_NODES = 5000
const MAX_DEPTH = 100
const MAX_LENGTH = 5000
/** Macros of its own can make a short formula long. */
const DEFINES =
  /\\(?:[egx]?def|g?let|futurelet|(?:re)?newcommand|providecommand|DeclareMathOperator)(?![a-zA-Z])/
const OPTIONS = {
  throwOnError: true,
  trust: false,
  maxExpand: 1000,
  maxSize: [20, 20],
} as const

const TAGS: ReadonlySet<string> = new Set(
  'math maction menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none'.split(
    ' ',
  ),
)
const ATTRIBUTES: ReadonlySet<string> = new Set(
  'accent accentunder columnspan depth display displaystyle fence form height largeop linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits rowspan rspace scriptlevel separator stretchy symmetric voffset width'.split(
    ' ',
  ),
)
const STYLES = /^(?:padding|border|color$|background-?color$|width$|math-?depth$|text-?align$)/i
/** Neither an address nor a function, and no length below zero, which would cover other texts. */
const VALUE = /^(?!.*-\d)[\w #%.+-]{1,60}$/
const CLASS =
  /^(?:tml-(?:left|right|jot|overline|underline|cancel|xcancel)|upstrike|downstrike|sout)$/

/** A formula as MathML. Undefined for one that is faulty, or too large to be laid out in time. */
export function formulaOf(tex: string, isDisplay: boolean): MathElement | undefined {
  if (tex.length > MAX_LENGTH || DEFINES.test(tex)) return undefined
  try {
    const tree = temml.__renderToMathMLTree(tex, { ...OPTIONS, displayMode: isDisplay })
    const [element] = new Conversion().nodes(tree, 0)
    return typeof element === 'object' && element.tag === 'math' ? element : undefined
  } catch {
    // The formula is not TeX that is known here, or it is too deep for the stack.
    return undefined
  }
}

/** Makes elements of the kinds that are known, and of nothing else in the tree. */
class Conversion {
  #count = 0

  nodes(node: Node, depth: number): readonly (MathElement | string)[] {
    if (++this.#count > MAX_NODES || depth > MAX_DEPTH) throw new RangeError('too large')
    const { type, text, children = [] } = node
    if (text !== undefined) return [text]
    const inner = children.flatMap((child) => this.nodes(child, depth + 1))
    if (type === undefined || !TAGS.has(type)) return inner
    return [{ tag: type, attributes: attributesOf(node), style: styleOf(node), children: inner }]
  }
}

function attributesOf({ attributes = {}, classes = [] }: Node): MathElement['attributes'] {
  const known = classes.filter((name) => CLASS.test(name))
  const kept = Object.entries(attributes).flatMap(([name, value]) =>
    ATTRIBUTES.has(name) && VALUE.test(String(value)) ? [[name, String(value)]] : [],
  )
  return Object.fromEntries(known.length > 0 ? [...kept, ['class', known.join(' ')]] : kept)
}

function styleOf({ style = {} }: Node): MathElement['style'] {
  return Object.fromEntries(
    Object.entries(style).flatMap(([name, value]) =>
      STYLES.test(name) && VALUE.test(String(value)) ? [[name, String(value)]] : [],
    ),
  )
}
