/** Elements without content. */
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/** Elements whose end tag may be left out. */
const OPTIONAL = new Set('p li dt dd option optgroup thead tbody tfoot tr td th'.split(' '))
/** Many pages hide themselves until their scripts have run. */
const WHOLE = new Set(['html', 'body'])
/** A longer value of an attribute is read up to here. */
const MOST_CHARACTERS = 10_000
const NOTHING = /^(?:0+(?:\.0*)?|\.0+)(?:[a-z]+|%)?$/

/** Reads the attributes of a tag that say whether a browser shows its element. */
export class TagAttributes {
  readonly #values = new Map<string, string>()
  #name = ''

  /** The attribute whose value follows. */
  begin(name: string): void {
    this.#name = name.toLowerCase()
    // Of two with one name, the first counts.
    if (this.#values.has(this.#name)) this.#name = ''
    else this.#values.set(this.#name, '')
  }

  add(value: string): void {
    const known = this.#values.get(this.#name)
    if (known !== undefined && known.length < MOST_CHARACTERS)
      this.#values.set(this.#name, known + value.slice(0, MOST_CHARACTERS))
  }

  /** Whether the element of the tag and its content are not shown, as far as the tag itself says so. */
  hides(tag: string): boolean {
    const values = this.#values
    if (VOID.has(tag) || WHOLE.has(tag)) return false
    if (values.has('hidden') || values.get('aria-hidden')?.trim().toLowerCase() === 'true')
      return true
    if (tag === 'dialog' && !values.has('open')) return true
    return isHiding(values.get('style') ?? '')
  }
}

function isHiding(style: string): boolean {
  const declared = new Map(style.toLowerCase().split(';').map(declaration))
  const value = (name: string) => declared.get(name) ?? ''
  const isNothing = (name: string) => declared.has(name) && NOTHING.test(value(name))
  const isClipped = ['hidden', 'clip'].includes(value('overflow'))
  return (
    value('display') === 'none' ||
    ['hidden', 'collapse'].includes(value('visibility')) ||
    isNothing('opacity') ||
    isNothing('font-size') ||
    (isClipped && ['width', 'height', 'max-width', 'max-height'].some(isNothing))
  )
}

function declaration(text: string): readonly [name: string, value: string] {
  const at = text.indexOf(':')
  const value = text.slice(at + 1).replace('!important', '')
  return [text.slice(0, Math.max(at, 0)).trim(), value.trim()]
}

/** The content of a hidden element, up to its end. */
export class HiddenPart {
  readonly #name: string
  readonly #isBlock: (name: string) => boolean
  readonly #open: string[] = []
  readonly #counts = new Map<string, number>()

  constructor(name: string, isBlock: (name: string) => boolean) {
    this.#name = name
    this.#isBlock = isBlock
  }

  /** Takes a start tag. False if the hidden element is over: its end tag was left out. */
  opened(name: string): boolean {
    if (VOID.has(name)) return true
    const isEnd =
      name === this.#name ? OPTIONAL.has(name) : this.#name === 'p' && this.#isBlock(name)
    if (isEnd && this.#open.length === 0) return false
    this.#open.push(name)
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    return true
  }

  /** Takes an end tag. False if the hidden element is over. */
  closed(name: string): boolean {
    if ((this.#counts.get(name) ?? 0) === 0) {
      // The end of a block that contains the element is its own end, if its own may be left out. Other stray tags mean nothing.
      const isOpenEnded = OPTIONAL.has(this.#name) || !this.#isBlock(this.#name)
      return name !== this.#name && !(isOpenEnded && this.#isBlock(name))
    }
    for (let last = this.#open.pop(); last !== undefined; last = this.#open.pop()) {
      this.#counts.set(last, (this.#counts.get(last) ?? 0) - 1)
      if (last === name) break
    }
    return true
  }
}
