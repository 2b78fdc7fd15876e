import type { SettingsDocument, SettingsFormat } from '@braidwork/core'
import { readableSettingsSchema, validatorOf } from '@braidwork/core/internal'
import { isObject, type JsonObject } from '@braidwork/plugin'
import { asSentence, messageOf } from '@braidwork/plugin/internal'
import type { Harness } from '../harness/index.ts'
import { type Check, fault, same, unjudged } from './check.ts'
import { defaultFault } from './default-fault.ts'

const ABOUT = 'settings.md'
const SECRET = /(?:^|_)(?:api_?key|password|secret|access_token|auth_token)$/i

/** The schema of the settings. Undefined if there is none. */
function schemaOf({ trial }: Harness): JsonObject | undefined {
  return readableSettingsSchema(trial.plugin)
}

/** The settings of the schema and of the objects in it, by their paths. */
function fieldsOf(schema: unknown, path: string): readonly (readonly [string, JsonObject])[] {
  if (!(isObject(schema) && isObject(schema['properties']))) return []
  return Object.entries(schema['properties']).flatMap(([name, field]) =>
    isObject(field)
      ? [[`${path}${name}`, field] as const, ...fieldsOf(field, `${path}${name}.`)]
      : [],
  )
}

/** Checks each setting. `judge` returns what is wrong with it. */
function eachField(
  name: string,
  judge: (
    field: JsonObject,
    path: string,
    whole: JsonObject,
  ) => string | undefined | Promise<string | undefined>,
): Check {
  return {
    name,
    about: ABOUT,
    async run(harness) {
      const whole = schemaOf(harness) ?? {}
      for (const [path, field] of fieldsOf(whole, '')) {
        const wrong = await judge(field, path, whole)
        if (wrong !== undefined) fault(`The setting "${path}" ${wrong}`)
      }
    },
  }
}

const compiles: Check = {
  name: 'has a schema of settings that compiles',
  about: ABOUT,
  async run(harness) {
    if (harness.trial.plugin['configSchema'] === undefined) return
    const schema = schemaOf(harness)
    if (!schema) fault('"configSchema" is no JSON Schema, and exports none.')
    await validatorOf(schema).catch((error: unknown) =>
      fault(`"configSchema" does not compile: ${messageOf(error)}`),
    )
  },
}

const isOfObject: Check = {
  name: 'has a schema of settings for an object',
  about: ABOUT,
  run(harness) {
    const schema = schemaOf(harness)
    if (
      schema &&
      'type' in schema &&
      typeof schema['type'] === 'string' &&
      schema['type'] !== 'object'
    )
      fault(`"configSchema" is of type ${JSON.stringify(schema['type'])}; settings are an object.`)
  },
}

const defaults = eachField('has defaults that its schema accepts', async (field, _path, whole) => {
  const wrong = await defaultFault(field, whole)
  return wrong && `has a default that its schema refuses: ${wrong}`
})

const describes = eachField('says what each setting is for', (field) =>
  [field['title'], field['description'], field['$ref'], field['const']].some(Boolean)
    ? undefined
    : 'has neither "title" nor "description".',
)

const marksSecrets = eachField('marks its secrets', (field, path) =>
  SECRET.test(path) && field['type'] === 'string' && field['writeOnly'] !== true
    ? 'looks like a secret. Mark it with "writeOnly": true, so that logs, forms and other plugins never see it.'
    : undefined,
)

const hidesSecrets = eachField('has no default for a secret', (field) =>
  // A field of Python that may be absent has the default null, which tells nothing.
  field['writeOnly'] === true && (field['default'] ?? undefined) !== undefined
    ? 'is a secret with a default, which everybody can read in the schema.'
    : undefined,
)

async function documentOf({ trial }: Harness): Promise<SettingsDocument> {
  return trial.host
    .uiSchema(trial.config)
    .catch((error: unknown) => fault(`The form cannot be made: ${messageOf(error)}`))
}

/** The document, for checks that need a form. */
function formOf(harness: Harness): Promise<SettingsDocument> {
  return documentOf(harness).catch((error: unknown) => unjudged(messageOf(error)))
}

const hasForm: Check = {
  name: 'has settings that a form can show',
  about: ABOUT,
  async run(harness) {
    const { diagnostics } = await documentOf(harness)
    const own = diagnostics.find(({ plugin, level }) => plugin === harness.name && level !== 'info')
    if (own) fault(own.message)
  },
}

const fillsForm: Check = {
  name: 'fills its form with values that the form accepts',
  about: ABOUT,
  async run(harness) {
    const { schema, data } = await formOf(harness)
    const [part, values] = [member(schema, 'properties'), data].map((of) => member(of, 'settings'))
    const own = member(member(part, 'properties'), harness.name)
    const validate = own && (await validatorOf(own).catch(() => undefined))
    const wrong = validate?.(member(values, harness.name) ?? {})
    // A setting that is required and has no value yet is for a person to fill in.
    if (wrong && !/required|must have/.test(wrong.message))
      fault(`The form refuses what it is filled with: ${asSentence(wrong.message)}`)
  },
}

function member(value: unknown, name: string): JsonObject | undefined {
  const found = isObject(value) ? value[name] : undefined
  return isObject(found) ? found : undefined
}

const steadyForm: Check = {
  name: 'has the same form each time it is shown',
  about: 'hooks.md#getuielements',
  async run(harness) {
    const { schema } = await formOf(harness)
    const again = await formOf(harness)
    same(again.schema, schema, 'The form differs the second time.')
  },
}

interface Element {
  readonly id: string
  readonly kind: string
  readonly title?: string
  readonly action_owner?: string
}

/** What the plugin lists for forms, as it answered the host. */
async function elementsOf(harness: Harness): Promise<readonly Element[]> {
  const from = harness.calls.length
  await formOf(harness)
  const asked = harness.calls.slice(from).find(({ hook }) => hook === 'getUiElements')
  return Array.isArray(asked?.answer) ? (asked.answer.filter(isObject) as unknown as Element[]) : []
}

const uniqueElements: Check = {
  name: 'lists each element of its form once',
  about: 'hooks.md#getuielements',
  async run(harness) {
    const ids = (await elementsOf(harness)).map(({ id }) => id)
    const twice = ids.find((id, at) => ids.indexOf(id) !== at)
    if (twice !== undefined) fault(`"getUiElements" lists "${twice}" twice.`)
  },
}

const runsActions: Check = {
  name: 'can run the actions that it lists',
  about: 'hooks.md#runaction',
  async run(harness) {
    const own = (await elementsOf(harness)).find(
      ({ kind, action_owner = harness.name }) =>
        kind !== 'setting' && action_owner === harness.name,
    )
    if (own && !harness.has('runAction'))
      fault(`The action "${own.id}" is listed, but the plugin has no "runAction".`)
  },
}

const FORMATS: readonly SettingsFormat[] = ['jsonforms', 'rjsf', 'valves', 'mcp', 'vscode']

const shows = FORMATS.map(
  (format): Check => ({
    name: `has settings that ${format} can show`,
    about: ABOUT,
    async run(harness) {
      await formOf(harness)
      const one = format === 'valves' || format === 'mcp' ? { plugin: harness.name } : {}
      const { host, config } = harness.trial
      await host
        .uiSchema(config, { format, ...one })
        .catch((error: unknown) => fault(`The form cannot be made: ${messageOf(error)}`))
    },
  }),
)

export const SETTINGS: readonly Check[] = [
  compiles,
  isOfObject,
  defaults,
  describes,
  marksSecrets,
  hidesSecrets,
  hasForm,
  fillsForm,
  steadyForm,
  uniqueElements,
  ...shows,
]

export const ACTIONS: readonly Check[] = [runsActions]
