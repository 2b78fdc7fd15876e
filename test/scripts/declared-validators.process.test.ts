import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import {
  AGENT_SPEC_SCHEMA,
  MODEL_POOL_SCHEMA,
  MODEL_SPEC_SCHEMA,
  STOP_CONDITIONS_SCHEMA,
} from '../../src/agent/index.ts'
import { validatorOf } from '../../src/core/config/index.ts'
import type { JsonObject } from '../../src/plugin/index.ts'
import { SERVER_SCHEMA } from '../../src/server/internal.ts'
import { braidwork, withoutMissingPackages } from '../cli/command.ts'
import { useConfigFolder } from '../helpers/config-folder.ts'
import { ROOT } from '../helpers/source-files.ts'
import { objectFor } from './schema-values.ts'
import { TELLING_OF_AJV } from './telling-of-ajv.ts'

const SAMPLES = 300
const SEED = 20_261_130

const STOPS = [
  { type: 'max_rounds', rounds: 3 },
  { type: 'content_match', pattern: 'DONE' },
  { type: 'max_rounds', rounds: 0 },
  { type: 'cost_budget', max_dollars: 1, more: 1 },
  { type: 'none' },
]

interface Case {
  readonly name: string
  readonly from: string
  readonly schema: JsonObject
  readonly values: readonly unknown[]
}

function caseOf(name: string, schema: JsonObject, more: readonly unknown[] = []): Case {
  const from = name === 'SERVER_SCHEMA' ? '@braidwork/server/internal' : '@braidwork/agent'
  const values = [...fc.sample(objectFor(schema), { numRuns: SAMPLES, seed: SEED }), ...more, null]
  return { name, from, schema, values: JSON.parse(JSON.stringify(values)) }
}

const MODEL = { id: 'm', provider_id: 'scripted', upstream_model: 'scripted-1' }
const CASES: readonly Case[] = [
  caseOf('AGENT_SPEC_SCHEMA', AGENT_SPEC_SCHEMA, [
    { id: 'a', stop_conditions: STOPS.slice(0, 2), delegates: ['b', 'c'] },
    { id: 'a', stop_conditions: STOPS, delegates: ['b', 'b'] },
  ]),
  caseOf('MODEL_SPEC_SCHEMA', MODEL_SPEC_SCHEMA, [MODEL, { ...MODEL, prices: { input: -1 } }]),
  caseOf('MODEL_POOL_SCHEMA', MODEL_POOL_SCHEMA, [
    { id: 'p', candidates: ['m', MODEL], requires: { tags: ['tools'] } },
    { id: 'p', candidates: [MODEL, { ...MODEL }] },
  ]),
  caseOf('STOP_CONDITIONS_SCHEMA', STOP_CONDITIONS_SCHEMA, [
    STOPS.slice(0, 2),
    ...STOPS.map((stop) => [stop]),
  ]),
  caseOf('SERVER_SCHEMA', SERVER_SCHEMA, [
    { page: false },
    { mcp_tools: '', tokens: [{ token: 'x', id: '' }] },
  ]),
]

/** Plain Node checks values with the built packages, and prints the faults. */
const CHECK = `
import { validatorOf } from '@braidwork/core/internal'
import { compiledValidator } from '@braidwork/plugin/internal'
let input = ''
for await (const piece of process.stdin) input += piece
const checked = await Promise.all(JSON.parse(input).map(async ({ from, name, values }) => {
  const { [name]: schema } = await import(from)
  const validate = await validatorOf(schema)
  return { isCompiled: compiledValidator(schema) !== undefined, faults: values.map((one) => validate(one) ?? null) }
}))
process.stdout.write(JSON.stringify(checked))`

interface Checked {
  readonly isCompiled: boolean
  readonly faults: readonly unknown[]
}

function checkedByBuild(): readonly Checked[] {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', CHECK], {
    cwd: ROOT,
    input: JSON.stringify(CASES.map(({ name, from, values }) => ({ name, from, values }))),
    encoding: 'utf8',
  })
  expect(stderr).to.equal('')
  return JSON.parse(stdout) as readonly Checked[]
}

describe('the validators of declared agents, models and servers that the build compiles', () => {
  const folder = useConfigFolder()

  it('find the faults that the host finds when it compiles the schema itself', async () => {
    const built = checkedByBuild()
    for (const [at, { name, schema, values }] of CASES.entries()) {
      expect(built[at]?.isCompiled, name).to.equal(true)
      const validate = await validatorOf(schema)
      const expected = values.map((value) => validate(value) ?? null)
      expect(new Set(expected.map((fault) => fault === null)).size, name).to.equal(2)
      expect(built[at]?.faults, name).to.deep.equal(expected)
    }
  })

  it('are what the built command checks a config with, so that it loads no ajv', async () => {
    const { id: _, ...model } = MODEL
    const check = async (stops: readonly object[]) => {
      const agents = { helper: { model_id: 'm', stop_conditions: stops } }
      const config = { provider: 'scripted', agents, models: { m: model }, server: { hosts: [] } }
      const path = join(folder(), 'braidwork.json')
      await writeFile(path, JSON.stringify(config))
      const { status, err } = await braidwork(['config', 'check', '--config', path], {
        env: TELLING_OF_AJV,
      })
      return { status, err: withoutMissingPackages(err) }
    }
    expect(await check(STOPS.slice(0, 1))).to.deep.equal({ status: 0, err: '' })
    // Only the host knows RE2.
    expect((await check(STOPS.slice(0, 2))).err).to.include('loaded ajv')
  })
})
