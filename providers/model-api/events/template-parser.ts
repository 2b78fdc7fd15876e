import { parseJson } from '../json.ts'
import { JsonTemplate } from './json-template.ts'

/** The longest text, in characters, that a template is made of. */
const LONGEST = 2000
const MOST_TEMPLATES = 4
/** The number of texts without a template until the parser learns. It doubles each time. */
const FIRST_WAIT = 4
const LONGEST_WAIT = 256

/**
 * Parses JSON texts that look alike, as the events of a stream do: most differ from others in a few strings and numbers
 * only. The parser learns templates of them. A text that fits a template takes a comparison and a copy, which is a few
 * times faster than `JSON.parse`. The value of each text is the one that `parseJson` returns.
 */
export class TemplateParser {
  /** The template that was used last comes first. */
  readonly #templates: JsonTemplate[] = []
  #misses = 0
  #wait = FIRST_WAIT

  /** @throws {SyntaxError} like `parseJson` */
  parse(text: string): unknown {
    const templates = this.#templates
    for (let at = 0; at < templates.length; at++) {
      const template = templates[at] as JsonTemplate
      const value = template.read(text)
      if (value === undefined) continue
      if (at > 0) this.#putFirst(template, at)
      return value
    }
    return this.#parseOther(text)
  }

  #parseOther(text: string): unknown {
    const value = parseJson(text)
    if (text.length <= LONGEST && ++this.#misses >= this.#wait) this.#learn(text)
    return value
  }

  /** Widens the template that the text almost fits, or adds one for this text alone. It takes as long as many texts. */
  #learn(text: string): void {
    this.#misses = 0
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT)
    const templates = this.#templates
    for (let at = 0; at < templates.length; at++) {
      const wider = JsonTemplate.of((templates[at] as JsonTemplate).example, text)
      if (wider) {
        this.#putFirst(wider, at)
        return
      }
    }
    const template = JsonTemplate.of(text, text)
    if (template) this.#putFirst(template, MOST_TEMPLATES - 1)
  }

  /** Puts a template at the front, and takes the one at an index out. */
  #putFirst(template: JsonTemplate, index: number): void {
    this.#templates.splice(index, 1)
    this.#templates.unshift(template)
  }
}

const parsers = new Map<string, TemplateParser>()

/** The parser of a provider, by name. All answers share it, since the events of one look like those of another. */
export function parserFor(provider: string): TemplateParser {
  const known = parsers.get(provider)
  if (known) return known
  const parser = new TemplateParser()
  parsers.set(provider, parser)
  return parser
}
