import { isDeepStrictEqual } from 'node:util'
import { AGENT_SPEC_SCHEMA, type AgentSpec } from '@braidwork/agent'
import type { KnownIds } from '@braidwork/agent/internal'
import { sentence } from '@braidwork/core/internal'
import { isObject, type JsonObject } from '@braidwork/plugin'
import { REASONING_EFFORTS } from '@braidwork/plugin/internal'
import { type Answer, askField } from './ask-field.ts'
import { type Field, fieldsOfSchema } from './fields.ts'
import { leaves } from './leave.ts'
import type { Prompts } from './prompts.ts'
import { shownValue } from './show-document.ts'

/** The fields of a spec that allow nothing if they are empty. */
const ALLOWING: readonly string[] = ['allowed_tools', 'allowed_tool_patterns']

/** The form for the spec of an agent: a menu of its fields. Fields that have no question stay as they are. */
export class AgentForm {
  readonly #known: KnownIds
  readonly #prompts: Prompts

  constructor(known: KnownIds, prompts: Prompts) {
    this.#known = known
    this.#prompts = prompts
  }

  /**
   * Asks until the person saves.
   * @param written the agent as it is stored, by default `spec`
   * @returns the edited agent; undefined if the person discards the changes
   */
  async fillIn(spec: AgentSpec, written = spec): Promise<AgentSpec | undefined> {
    let edited = spec
    for (;;) {
      const fields = fieldsFor(edited, this.#known)
      const data = edited as unknown as JsonObject
      const chosen = await this.#prompts.choose<Field | 'save' | 'discard'>({
        message: `Agent ${spec.id}`,
        options: [
          ...fields.map((field) => ({
            value: field,
            label: field.label,
            about: shownValue(field, data, []),
          })),
          { value: 'save', label: 'Save' },
          { value: 'discard', label: 'Discard' },
        ],
      })
      if (chosen === 'save') return edited
      if (chosen === 'discard') return undefined
      if (chosen) edited = await this.#with(edited, chosen)
      else if (await leaves(this.#prompts, !isDeepStrictEqual(edited, written))) return undefined
    }
  }

  async #with(spec: AgentSpec, field: Field): Promise<AgentSpec> {
    const [key = ''] = field.path
    const { [key]: current, ...others } = spec as unknown as JsonObject
    const given = await askField(field, current, this.#prompts)
    const answer = given && (await this.#meant(key, given))
    if (!answer) return spec
    const { value } = answer
    return (value === undefined ? others : { ...others, [key]: value }) as unknown as AgentSpec
  }

  /** An empty list of what is allowed allows nothing. Elsewhere an empty list means nothing. */
  async #meant(key: string, given: Answer): Promise<Answer | undefined> {
    const { value } = given
    if (!Array.isArray(value) || value.length > 0) return given
    if (!ALLOWING.includes(key)) return { value: undefined }
    return this.#prompts.choose<Answer>({
      message: 'Nothing is in the list',
      options: [
        { value: { value: undefined }, label: 'Not set' },
        { value: given, label: 'An empty list, which allows no tool' },
      ],
    })
  }
}

/** The fields of the spec's schema for which there is a question, with what is known as their choices. */
function fieldsFor(spec: AgentSpec, known: KnownIds): readonly Field[] {
  const {
    id: _,
    config: __,
    context_policy: ___,
    endpoint: ____,
    ...properties
  } = AGENT_SPEC_SCHEMA.properties
  const shown = Object.entries(properties).map(([key, schema]) => [
    key,
    { ...questionFor(key, schema, { spec, known }), title: titleOf(key) },
  ])
  const fields = fieldsOfSchema({ type: 'object', properties: Object.fromEntries(shown) })
  return fields.map((field) =>
    field.path[0] === 'system_prompt' ? { ...field, isLong: true } : field,
  )
}

interface Asked {
  readonly spec: AgentSpec
  readonly known: KnownIds
}

function questionFor(key: string, schema: JsonObject, { spec, known }: Asked): JsonObject {
  const current = (spec as unknown as JsonObject)[key]
  switch (key) {
    case 'model_id':
      return known.models.length > 0 ? { enum: among(known.models, current) } : schema
    case 'plugin_ids':
      return several(known.plugins, current)
    case 'allowed_tools':
    case 'excluded_tools':
      return several(known.tools, current)
    case 'reasoning_effort':
      return { enum: among(REASONING_EFFORTS, current) }
    default:
      return withoutNull(schema)
  }
}

function several(known: readonly string[], current: unknown): JsonObject {
  const items = among(known, current)
  return { type: 'array', items: items.length > 0 ? { enum: items } : { type: 'string' } }
}

/** The known values, and those that a spec has already. */
function among(known: readonly unknown[], current: unknown): readonly unknown[] {
  const own: readonly unknown[] = Array.isArray(current) ? current : [current ?? []].flat()
  return [...new Set([...known, ...own])]
}

/** A list that may be null, as a list. */
function withoutNull(schema: JsonObject): JsonObject {
  const { anyOf } = schema
  const listed = Array.isArray(anyOf) ? anyOf.filter(isObject) : []
  return listed.find(({ type }) => type === 'array') ?? schema
}

/** Such as "Allowed tool patterns". */
function titleOf(key: string): string {
  return sentence(key.replace(/_ids?$/, (ending) => (ending === '_ids' ? 's' : '')))
}
