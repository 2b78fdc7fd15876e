import type { OpenedConfig, PluginTool, ToolSchemaFormat } from '@braidwork/core'
import { validatorOf } from '@braidwork/core/internal'
import { findJsonFault, isObject, type JsonObject } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { type Harness, LOOKUP } from '../harness/index.ts'
import { type Check, done, fault, same, textsIn, unjudged } from './check.ts'
import { defaultFault } from './default-fault.ts'

const ABOUT = 'hooks.md#gettoolschemas'

async function offered({ trial }: Harness): Promise<readonly PluginTool[]> {
  const tools = await trial.host
    .toolSchemas(trial.config)
    .catch((error: unknown) => unjudged(messageOf(error)))
  return tools.filter(({ plugin }) => plugin === trial.plugin.name)
}

/** The schemas as the plugin wrote them, before the host checks and renames them. */
async function written(harness: Harness): Promise<readonly JsonObject[]> {
  const from = harness.calls.length
  await harness.trial.host.toolSchemas(harness.trial.config).catch(() => undefined)
  const asked = harness.calls.slice(from).find(({ hook }) => hook === 'getToolSchemas')
  return Array.isArray(asked?.answer) ? asked.answer.filter(isObject) : []
}

const offers: Check = {
  name: 'offers tools with usable schemas',
  about: ABOUT,
  async run({ trial }) {
    const tools = await trial.host
      .toolSchemas(trial.config)
      .catch((error: unknown) => fault(`The tools cannot be offered: ${messageOf(error)}`))
    if (tools.some(({ plugin }) => plugin === trial.plugin.name)) return
    fault(`"${trial.plugin.name}" offers no tool. Return schemas from "getToolSchemas".`)
  },
}

function eachTool(name: string, judge: (tool: JsonObject) => string | undefined): Check {
  return {
    name,
    about: ABOUT,
    async run(harness) {
      for (const tool of await written(harness)) {
        const wrong = judge(tool)
        if (wrong !== undefined) fault(`The tool "${String(tool['name'])}" ${wrong}`)
      }
    },
  }
}

const usableName = eachTool('names its tools as model APIs allow', ({ name }) =>
  /^[\w-]{1,64}$/.test(String(name))
    ? undefined
    : 'needs a name of at most 64 letters, digits, "_" and "-".',
)

const describes = eachTool('says what each of its tools does', ({ description }) =>
  typeof description === 'string' && description.trim() !== ''
    ? undefined
    : 'has no description, and the model knows nothing else of it.',
)

const describesArguments = eachTool('says what each argument is for', ({ input_schema }) => {
  const { properties } = isObject(input_schema) ? input_schema : {}
  const silent = Object.entries(isObject(properties) ? properties : {}).find(
    ([, field]) => isObject(field) && !('$ref' in field) && !saysWhat(field),
  )
  return silent && `has the argument "${silent[0]}" without "description", "enum" or "const".`
})

function saysWhat(field: JsonObject): boolean {
  return ['description', 'title', 'enum', 'const', 'anyOf', 'oneOf', 'items', 'examples'].some(
    (word) => word in field,
  )
}

const safe = eachTool('says of its tools only what can be', ({ safety }) =>
  isObject(safety) && safety['is_read_only'] === true && safety['is_destructive'] === true
    ? 'is both "is_read_only" and "is_destructive".'
    : undefined,
)

const requiredArguments = eachTool('requires only arguments that it has', ({ input_schema }) => {
  if (!(isObject(input_schema) && Array.isArray(input_schema['required']))) return undefined
  const { properties, required } = input_schema
  const known = isObject(properties) ? Object.keys(properties) : []
  const unknown = (required as readonly unknown[]).find((one) => !known.includes(String(one)))
  return unknown === undefined
    ? undefined
    : `requires "${String(unknown)}", which it does not have.`
})

const unique: Check = {
  name: 'names each of its tools once',
  about: ABOUT,
  async run(harness) {
    const names = (await written(harness)).map(({ name }) => name)
    const twice = names.find((name, at) => names.indexOf(name) !== at)
    if (twice !== undefined) fault(`Two tools are named "${String(twice)}".`)
  },
}

const compiles: Check = {
  name: 'has tool schemas that compile',
  about: ABOUT,
  async run(harness) {
    for (const { name, input_schema, output_schema } of await offered(harness)) {
      for (const schema of [input_schema, output_schema].filter(isObject))
        await validatorOf(schema).catch((error: unknown) =>
          fault(`A schema of "${name}" does not compile: ${messageOf(error)}`),
        )
    }
  },
}

const defaults: Check = {
  name: 'has defaults of arguments that their schemas accept',
  about: ABOUT,
  async run(harness) {
    for (const { name, input_schema } of await offered(harness)) {
      const { properties } = input_schema
      for (const [key, field] of Object.entries(isObject(properties) ? properties : {})) {
        const wrong = isObject(field) && (await defaultFault(field, input_schema))
        if (wrong) fault(`The default of "${key}" of "${name}": ${wrong}`)
      }
    }
  },
}

const steady: Check = {
  name: 'offers the same tools each time it is asked',
  about: ABOUT,
  async run(harness) {
    same(await written(harness), await written(harness), 'The second time, the tools differ.')
  },
}

const lowers = (format: ToolSchemaFormat): Check => ({
  name: `has tools that the format ${format} can express`,
  about: ABOUT,
  async run(harness) {
    const { host, config } = harness.trial
    await offered(harness)
    const tools = await host
      .toolSchemas(config, { for: format })
      .catch((error: unknown) => fault(`A schema cannot be converted: ${messageOf(error)}`))
    const own = tools.filter(({ plugin }) => plugin === harness.name)
    const found = own.map((tool) => findJsonFault(tool.input_schema)).find(Boolean)
    if (found) fault(`The converted schema is no JSON: ${found.reason}`)
  },
})

const reaches: Check = {
  name: 'reaches the provider with its tools',
  about: 'hooks.md#init',
  async run(harness) {
    const tools = await offered(harness)
    const { sent } = done(await harness.ask('stream', { tools: [LOOKUP] }))
    if (sent.length === 0) return
    const left = textsIn(sent.map(({ state }) => state))
    const lost = tools.find(({ name }) => !left.includes(name))
    if (lost) fault(`The provider did not get "${lost.name}".`)
  },
}

const jsonState: Check = {
  name: 'has a state that is JSON',
  about: 'hooks.md#init',
  async run(harness) {
    await offered(harness)
    const states = harness.calls.filter(({ hook }) => hook === 'init').map(({ answer }) => answer)
    const found = states.map((state) => findJsonFault(state ?? null)).find(Boolean)
    if (found) fault(`"init" answers with a state that is no JSON: ${found.reason}.`)
  },
}

const opens: Check = {
  name: 'can be opened twice at once',
  about: 'hooks.md#init',
  async run(harness) {
    await offered(harness)
    const { host, config } = harness.trial
    const both = await Promise.all([host.open(config), host.open(config)])
    const names = both.map((opened: OpenedConfig) => opened.tools.map(({ name }) => name))
    for (const opened of both) opened.end()
    same(names[1], names[0], 'Two configs that are open at once offer other tools.')
  },
}

const FORMATS: readonly ToolSchemaFormat[] = ['json-schema', 'openai-strict', 'anthropic', 'google']

export const TOOLS: readonly Check[] = [
  offers,
  usableName,
  unique,
  describes,
  describesArguments,
  requiredArguments,
  safe,
  compiles,
  defaults,
  steady,
  ...FORMATS.map(lowers),
  reaches,
  jsonState,
  opens,
]
