import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import fc from 'fast-check'
import { propertyRuns } from '../../helpers/cases.ts'
import { ask, configOf, tool } from './ask.ts'
import { leaf, objects, type Schema, schemas } from './schemas.ts'

const ajv = new Ajv2020({ strict: false, formats: { date: /^\d{4}-\d\d-\d\d$/ } })
const text = fc
  .array(
    fc.constantFrom(
      'name: Ada',
      'age: 36',
      'in Paris',
      'kind = b',
      'use note',
      'count: 7',
      '"quoted"',
      'time',
      'what is',
      '2 * 3',
      'city: Rome,',
      '12.5',
      'yes',
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((words) => words.join(' '))

function expectValid(schema: Schema, value: unknown): void {
  const validate = ajv.compile(schema)
  const shown = () => JSON.stringify({ schema, value, errors: validate.errors })
  expect(validate(value), validate.errors ? shown() : '').to.equal(true)
}

describe('schemas, filled by the scripted provider', () => {
  it('are met by every answer in their format', async () => {
    await fc.assert(
      fc.asyncProperty(schemas(2), text, async (schema, request) => {
        const config = configOf(
          {},
          { response_format: { type: 'json-schema', schema }, tool_choice: 'none' },
        )
        expectValid(schema, JSON.parse((await ask(request, config)).text))
      }),
      { numRuns: propertyRuns(200) },
    )
  })

  it('are met by the input of every call, demanded or not', async () => {
    const choices = fc.constantFrom('auto' as const, 'required' as const, { tool: 'take_note' })
    await fc.assert(
      fc.asyncProperty(objects(leaf), text, choices, async (schema, request, tool_choice) => {
        const tools = [{ ...tool('take_note'), input_schema: schema }]
        const { calls } = await ask(request, configOf({}, { tool_choice }), { tools })
        for (const call of calls.filter((own) => own.name === 'take_note'))
          expectValid(schema, call.input)
      }),
      { numRuns: propertyRuns(200) },
    )
  })
})
