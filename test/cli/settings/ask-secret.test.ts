import { expect } from 'chai'
import { askSecret } from '../../../src/cli/settings/ask-secret.ts'
import { fieldsOfSchema } from '../../../src/cli/settings/fields.ts'
import { person } from './person.ts'

const SCHEMA = {
  type: 'object',
  properties: { key: { type: 'string', writeOnly: true, title: 'Key' } },
}

function keyField() {
  const [field] = fieldsOfSchema(SCHEMA)
  return field ?? expect.fail('no field')
}

describe('askSecret', () => {
  const removal = 'Remove it from the file'

  it('takes a secret out of the file, if one is in it', async () => {
    const { prompts, offered } = person(removal)
    const answer = await askSecret(keyField(), prompts, { isSet: true, variable: undefined })
    expect(answer).to.deep.equal({ value: undefined })
    expect(offered[0]?.labels).to.include(removal)
  })

  it('offers to remove nothing where nothing is set', async () => {
    const { prompts, offered } = person(undefined)
    const facts = { isSet: false, variable: undefined }
    expect(await askSecret(keyField(), prompts, facts)).to.equal(undefined)
    expect(offered[0]?.labels).not.to.include(removal)
  })
})
