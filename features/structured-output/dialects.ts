import type { Ajv, Options } from 'ajv'

type AjvClass = new (options: Options) => Ajv

/** A draft of JSON Schema with its compiler. */
export interface Dialect {
  readonly Ajv: AjvClass
  readonly options: Options
  /** Validates schemas against the draft's meta-schema. It compiles no other schema. */
  readonly judge: Ajv
}

/** The supported drafts, with the ajv class for each. A bundler that splits gives a CommonJS module only `default`. */
const DRAFTS: readonly (readonly [id: RegExp, load: () => Promise<AjvClass>])[] = [
  [
    /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/,
    async () => (await import('ajv/dist/2020.js')).default.Ajv2020,
  ],
  [
    /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/,
    async () => (await import('ajv')).default.Ajv,
  ],
]
const DEFAULT_DRAFT = 'https://json-schema.org/draft/2020-12/schema'
const loaded = new Map<RegExp, Promise<Dialect>>()

/** The dialect that `$schema` names; `undefined` if it is not supported. Loads ajv on first use. */
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
  // Compile the meta-schema now, outside the time limit, which could interrupt it half-way.
  void judge.validateSchema({})
  return { Ajv, options, judge }
}

async function loadOptions(): Promise<Options> {
  const { RE2JS } = await import('re2js')
  // re2js runs in linear time. It refuses patterns with features it lacks, such as lookahead.
  const regExp = (pattern: string) => {
    try {
      const expression = RE2JS.compile(pattern)
      // ajv identifies patterns by their text, so equal patterns share one object.
      return { test: (text: string) => expression.matcher(text).find(), toString: () => pattern }
    } catch (cause) {
      throw Object.assign(new Error('no pattern', { cause }), { pattern })
    }
  }
  return {
    strict: false,
    allErrors: true,
    // Compiles a definition once even if the schema refers to it a thousand times.
    inlineRefs: false,
    ownProperties: true,
    validateSchema: false,
    validateFormats: false,
    logger: false,
    code: { regExp: Object.assign(regExp, { code: 'undefined' }) },
  }
}
