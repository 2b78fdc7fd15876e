import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { RunFacts } from '../../src/agent/facts/run-facts.ts'
import { ToolRecords } from '../../src/agent/facts/tool-records.ts'
import type { StoredRun } from '../../src/agent/index.ts'
import type { RunEvent } from '../../src/plugin/events/index.ts'
import { ROOT } from './source-files.ts'

const CONFORMANCE = join(ROOT, '..', 'shared', 'conformance')
const RUNTIME = join(CONFORMANCE, 'agentruntime', 'schemas')
const LIME = 'https://limecloud.github.io/agentruntime/schemas'
/** The schemas themselves are not checked: for that, each validator would compile the schema of schemas. */
const OPTIONS = { strict: false, allErrors: true, validateSchema: false }
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export const HAS_FACT_SCHEMAS = existsSync(CONFORMANCE)

type Validate = (value: unknown) => string | undefined

interface LimeSchema {
  readonly allOf: readonly {
    readonly properties?: { readonly type?: { readonly enum?: readonly string[] } }
  }[]
}

const read = <T>(folder: string, name: string): T =>
  JSON.parse(readFileSync(join(folder, `${name}.schema.json`), 'utf8')) as T

/** The classes of the Lime profile, in the order of its schema. */
export function limeClasses(): readonly string[] {
  const { allOf } = read<LimeSchema>(RUNTIME, 'agentruntime-lime-profile-event')
  return allOf.flatMap(({ properties }) => properties?.type?.enum ?? [])
}

function runtimeValidator(): Validate {
  const ajv = new Ajv2020(OPTIONS)
  ajv.addFormat('date-time', ISO)
  const core = read<object>(RUNTIME, 'agentruntime-event')
  // The profile refers to it at its own address.
  ajv.addSchema({ ...core, $id: `${LIME}/agentruntime-event.schema.json` })
  const validate = ajv.compile(read<object>(RUNTIME, 'agentruntime-lime-profile-event'))
  return (value) => (validate(value) ? undefined : ajv.errorsText(validate.errors))
}

const validators = new Map<string, Validate>()

function validatorOf(name: string): Validate {
  const known = validators.get(name)
  if (known) return known
  const made = name === 'lime' ? runtimeValidator() : toolValidator(name)
  validators.set(name, made)
  return made
}

function toolValidator(kind: string): Validate {
  const ajv = new Ajv2020(OPTIONS)
  const name = `agenttool-${kind.replaceAll('_', '-')}`
  const validate = ajv.compile(read<object>(join(CONFORMANCE, 'agenttool'), name))
  return (value) => (validate(value) ? undefined : ajv.errorsText(validate.errors))
}

/** What is wrong with the facts of a run by the schemas, a sentence each. Nothing where the schemas are not there. */
export function factFaults(run: StoredRun, events: readonly RunEvent[]): readonly string[] {
  if (!HAS_FACT_SCHEMAS) return []
  const facts = new RunFacts(run, 0)
  const records = new ToolRecords(run)
  return events.flatMap((event) => {
    // As they are written, since a member without a value is none.
    const told = JSON.parse(JSON.stringify(facts.add(event))) as readonly { type: string }[]
    const kept = JSON.parse(JSON.stringify(records.add(event))) as ReturnType<ToolRecords['add']>
    return [
      ...told.flatMap((fact) => faultIn('lime', fact, fact.type)),
      ...kept.flatMap((record) => [
        ...faultIn('event', record, record.event_type),
        ...faultIn(record.event_type.replace('tool.', ''), record.data, record.event_type),
      ]),
    ]
  })
}

function faultIn(schema: string, value: unknown, what: string): readonly string[] {
  const name = schema.startsWith('tool_') ? schema.replace(/^tool_/, 'tool-') : schema
  const fault = validatorOf(name)(value)
  return fault === undefined ? [] : [`${what}: ${fault}`]
}
