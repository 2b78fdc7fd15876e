import type { Ajv, Options } from 'ajv'

type AjvClass = new (options: Options) => Ajv

/** A draft of JSON Schema, ready to compile schemas. */
export interface Dialect {
  readonly Ajv: AjvClass
  readonly options: Options
  /** Has the schema of schemas compiled, and keeps no other. */
  readonly judge: Ajv
}

/** Each draft, and the class that knows it. */
const DRAFTS: readonly (readonly [id: RegExp, load: () => Promise<AjvClass>])[] = [
  [
    /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/,
    async () => (await import('ajv/dist/2020.js')).Ajv2020,
  ],
  [/^https?:\/\/json-schema\.org\/draft-07\/schema#?$/, async () => (await import('ajv')).Ajv],
]
const DEFAULT_DRAFT = 'https://json-schema.org/draft/2020-12/schema'
const loaded = new Map<RegExp, Promise<Dialect>>()

/** The dialect that a schema's `$schema` names; nothing where it is not known. ajv is loaded by the first. */
export function dialectOf(given: unknown): Promise<Dialect> | undefined {
  const named = given ?? DEFAULT_DRAFT
  const draft = DRAFTS.find(([id]) => typeof named === 'string' && id.test(named))
  if (!draft) return undefined
  const [id, load] = draft
  const dialect = loaded.get(id) ?? createDialect(load)
  loaded.set(id, dialect)
  return dialect
}

async function createDialect(load: () => Promise<AjvClass>): Promise<Dialect> {
  const [Ajv, options] = await Promise.all([load(), loadOptions()])
  const judge = new Ajv(options)
  // Compiled here, where no limit of time can leave half of it.
  void judge.validateSchema({})
  return { Ajv, options, judge }
}

async function loadOptions(): Promise<Options> {
  const { RE2JS } = await import('re2js')
  // On re2js no text can hang a pattern. What it does not know, such as looking ahead, is refused.
  const regExp = (pattern: string) => {
    try {
      const expression = RE2JS.compile(pattern)
      // ajv knows the patterns of a schema by their text: two that read the same are one.
      return { test: (text: string) => expression.matcher(text).find(), toString: () => pattern }
    } catch (cause) {
      throw Object.assign(new Error('no pattern', { cause }), { pattern })
    }
  }
  return {
    strict: false,
    allErrors: true,
    // What a schema refers to a thousand times becomes code once.
    inlineRefs: false,
    ownProperties: true,
    validateSchema: false,
    validateFormats: false,
    logger: false,
    code: { regExp: Object.assign(regExp, { code: 'undefined' }) },
  }
}
