import { Ajv } from 'ajv'
import { expect } from 'chai'
import { SHIPPED_PACKAGES } from '../../src/core/internal.ts'
import { ROOT } from '../helpers/source-files.ts'
import { braidwork } from './command.ts'

interface Keys {
  readonly description?: string
  readonly properties?: { readonly [key: string]: Keys }
  readonly [keyword: string]: unknown
}

const REFERENCE = '${env:NAME}'
const TOKEN = { token: REFERENCE, id: 'ada' }
const model = { provider_id: REFERENCE, upstream_model: REFERENCE }
const ofAgent = (agent: object) => ({ agents: { helper: agent } })
const ofModel = (config: object) => ({ server: { models: { a: { config } } } })

const REFERRING = {
  'keys with choices': { reasoning_effort: REFERENCE, on_interrupt: REFERENCE },
  'keys with choices or objects': { tool_choice: REFERENCE, tool_policy: { pay: REFERENCE } },
  'choices in objects': { response_format: { type: REFERENCE } },
  'the role of a token': { server: { tokens: [{ ...TOKEN, role: REFERENCE }] } },
  'an issuer': { server: { oidc: { issuer: REFERENCE, audience: REFERENCE } } },
  'patterns of a server': { server: { origins: [REFERENCE], base_path: REFERENCE } },
  'host names': { server: { hosts: [REFERENCE, 'chat.example.com', '[::1]', '10.0.0.1'] } },
  'a text around it': { server: { tokens: [{ ...TOKEN, token: `t-${REFERENCE}` }] } },
  'settings with choices': { settings: { openai: { api: REFERENCE, verbosity: REFERENCE } } },
  'keys of agents': ofAgent({
    reasoning_effort: REFERENCE,
    context_policy: { compaction_mode: REFERENCE },
    config: { reasoning_effort: REFERENCE },
  }),
  models: { models: { a: model, b: ['a', model] } },
  'published models': ofModel({ reasoning_effort: REFERENCE, provider: REFERENCE }),
}

const WRONG = {
  'a reference for a number': { temperature: REFERENCE },
  'an unknown choice': { reasoning_effort: 'lo' },
  'an unknown role': { server: { tokens: [{ ...TOKEN, role: 'root' }] } },
  'an origin with a path': { server: { origins: ['https://a.example/b'] } },
  'an unknown key of a published model': ofModel({ modle: 'x' }),
  'a wrong value of a published model': ofModel({ settings: { openai: { api: 'soap' } } }),
  'the server in a published model': ofModel({ server: {} }),
  'an unknown key of an agent': ofAgent({ config: { modle: 'x' } }),
  'an unknown key of a section': ofAgent({ sections: { compaction: { summary_max_token: 1 } } }),
  'an id with a space': { agents: { 'a b': {} } },
  'an id of a model with a space': { models: { 'a b': model } },
  'a wildcard': { server: { hosts: ['*.example.com'] } },
  'a host with a scheme': { server: { hosts: ['https://chat.example.com'] } },
  'a host with a port': { server: { hosts: ['chat.example.com:443'] } },
  'a host in capitals': { server: { hosts: ['Chat.example.com'] } },
}

describe('the schema of a config for editors', function () {
  this.timeout(60_000)
  let schema: Keys
  let accepts: (config: object) => boolean

  before(async () => {
    // All shipped plugins are installed there.
    const { out } = await braidwork(['config', 'schema'], { cwd: ROOT })
    schema = JSON.parse(out) as Keys
    accepts = new Ajv({ strict: false, validateFormats: false }).compile(schema)
  })

  for (const [title, config] of Object.entries(REFERRING)) {
    it(`accepts references to variables in ${title}`, () => {
      expect(accepts(config)).to.equal(true)
    })
  }

  for (const [title, config] of Object.entries(WRONG)) {
    it(`marks ${title}`, () => {
      expect(accepts(config)).to.equal(false)
    })
  }

  it('leaves sections that plugins read to them', () => {
    const sections = { compaction: { summary_max_tokens: 500 }, notes: { any: 1 } }
    expect(accepts(ofAgent({ sections }))).to.equal(true)
  })

  it('has a description of each setting of the shipped plugins', () => {
    const settings = schema.properties?.['settings']?.properties ?? {}
    const shipped = [...SHIPPED_PACKAGES.keys()].filter((name) => name in settings)
    expect(shipped).to.include.members(['anthropic', 'openai', 'mcp', 'guard'])
    expect(shipped.flatMap((name) => undescribed(settings[name], name))).to.deep.equal([])
    const { thinking } = settings['anthropic']?.properties ?? {}
    expect(thinking?.properties?.['budget_tokens']?.description).to.equal(
      'Thinking budget in tokens, if enabled.',
    )
  })

  it('has a description of each key of a config, however deep', () => {
    const { settings: _, ...keys } = schema.properties ?? {}
    expect(undescribed({ properties: keys }, '')).to.deep.equal([])
    const { items } = schema.properties?.['server']?.properties?.['tokens'] ?? {}
    expect((items as Keys).properties?.['role']?.description).to.include('`monitor`')
  })

  it('has a description of each key of agents, models and issuers that a guide describes', () => {
    const { agents, server } = schema.properties ?? {}
    const agent = agents?.['additionalProperties'] as Keys
    const oidc = server?.properties?.['oidc']
    for (const keys of [agent, agent.properties?.['sections']?.properties?.['retry'], oidc]) {
      const { config: _, ...all } = keys?.properties ?? {}
      expect(Object.keys(all)).not.to.deep.equal([])
      for (const [key, { description }] of Object.entries(all)) {
        expect(description, key).to.match(/^[A-Z`{].*\.$/)
      }
    }
  })
})

describe('the schema of the file of an agent for editors', function () {
  this.timeout(60_000)
  let schema: Keys

  before(async () => {
    const { out } = await braidwork(['agents', 'schema'], { cwd: ROOT })
    schema = JSON.parse(out) as Keys
  })

  it('accepts an agent without an id, with the schema that it names and its own settings', () => {
    const accepts = new Ajv({ strict: false, validateFormats: false }).compile(schema)
    const config = { settings: { openai: { api: 'responses' } }, temperature: 1 }
    const agent = { $schema: '../agent.schema.json', max_rounds: 4, config }
    expect(accepts(agent)).to.equal(true)
    expect(accepts({})).to.equal(true)
    expect(accepts({ ...agent, config: { settings: { openai: { api: 'soap' } } } })).to.equal(false)
    expect(accepts({ ...agent, max_round: 4 })).to.equal(false)
  })

  it('has a description of each key', () => {
    const { config, ...fields } = schema.properties ?? {}
    const { settings: _, ...keys } = config?.properties ?? {}
    expect(undescribed({ properties: { ...fields, ...keys } }, '')).to.deep.equal([])
    expect(config?.description).to.be.a('string')
  })
})

/** The paths of the keys without a description. One that refers to another key, or only repeats one, needs none. */
function undescribed(schema: unknown, path: string): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap((one, at) => undescribed(one, `${path}/${at}`))
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {}, items, anyOf, allOf, then, additionalProperties } = schema as Keys
  const own = Object.entries(properties).flatMap(([key, one]: [string, Keys | true]) => [
    ...(one === true || one.description !== undefined || '$ref' in one ? [] : [`${path}/${key}`]),
    ...undescribed(one, `${path}/${key}`),
  ])
  const others = [items, anyOf, allOf, then, additionalProperties]
  return [...own, ...others.flatMap((one) => undescribed(one, path))]
}
