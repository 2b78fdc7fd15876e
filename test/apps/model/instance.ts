import { isObject, type JsonObject } from '../../../src/plugin/index.ts'

/** What an instance is made of. */
interface Source {
  /** A property takes its value from `name=value` here. */
  readonly asked: string
  /** The value of texts that are not named there. */
  readonly text: string
}

/** An instance of a JSON Schema. What the source does not have gets the simplest value of its type. */
export function instanceOf(schema: JsonObject, source: Source): unknown {
  return new Filler(schema, source).fill(schema)
}

class Filler {
  private readonly root: JsonObject
  private readonly source: Source

  constructor(root: JsonObject, source: Source) {
    this.root = root
    this.source = source
  }

  fill(given: JsonObject, name?: string): unknown {
    const schema = this.followed(given)
    if ('const' in schema) return schema['const']
    if (Array.isArray(schema['enum'])) return this.valueFor(name, schema) ?? schema['enum'][0]
    if (isObject(schema['properties'])) return this.object(schema['properties'])
    if (schema['type'] === 'array') {
      return isObject(schema['items']) ? [this.fill(schema['items'], name)] : []
    }
    if (schema['type'] === 'object') return {}
    return this.valueFor(name, schema) ?? this.simplest(schema['type'])
  }

  private object(properties: JsonObject): object {
    const entries = Object.entries(properties)
      .filter((entry): entry is [string, JsonObject] => isObject(entry[1]))
      .map(([key, inner]) => [key, this.fill(inner, key)] as const)
    return Object.fromEntries(entries)
  }

  /** The schema that a reference names, or the first alternative that is not null. */
  private followed(schema: JsonObject): JsonObject {
    const reference = schema['$ref']
    if (typeof reference === 'string') return this.followed(this.named(reference))
    for (const key of ['anyOf', 'oneOf', 'allOf']) {
      const alternatives = schema[key]
      if (!Array.isArray(alternatives)) continue
      const one = alternatives.filter(isObject).find(({ type }) => type !== 'null')
      if (one) return this.followed(one)
    }
    return schema
  }

  private named(reference: string): JsonObject {
    const keys = reference.replace(/^#\/?/, '').split('/').filter(Boolean)
    let value: unknown = this.root
    for (const key of keys) value = isObject(value) ? value[key] : undefined
    if (isObject(value)) return value
    throw new TypeError(`The schema has nothing at "${reference}".`)
  }

  private valueFor(name: string | undefined, schema: JsonObject): unknown {
    if (name === undefined) return undefined
    const said = new RegExp(`\\b${name}=([^\\s,;]+)`)
      .exec(this.source.asked)?.[1]
      ?.replace(/\.$/, '')
    if (said === undefined) return undefined
    const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type']
    return type === 'integer' || type === 'number' ? Number(said) : said
  }

  private simplest(type: unknown): unknown {
    const [first] = Array.isArray(type) ? (type as unknown[]) : [type]
    if (first === 'integer' || first === 'number') return 0
    if (first === 'boolean') return true
    return first === 'null' ? null : this.source.text
  }
}
