import { expect } from 'chai'
import { checkReferring } from '../../../src/core/config/check-referring.ts'
import { createHost, mergeLayers } from '../../../src/core/index.ts'
import { fillReferences } from '../../../src/core/internal.ts'
import { errorOf } from '../../helpers/plugins.ts'

const variables = { EFFORT: 'low', CHOICE: 'required', POLICY: 'deny', END: 'end', KEY: 'sk-12345' }

describe('checkReferring', () => {
  it('CL-20 takes references where a key has fixed choices, and keeps them', () => {
    const layer = {
      reasoning_effort: '${env:EFFORT}',
      tool_choice: '${env:CHOICE}',
      tool_policy: { pay: '${env:POLICY}' },
      on_interrupt: '${env:END}',
      response_format: { type: '${env:TYPE}' },
      model: '${env:NO_SUCH}',
    }
    expect(checkReferring(layer, { ...variables, TYPE: 'json' })).to.equal(layer)
  })

  it('CL-20 names the variable of a wrong value', async () => {
    const layer = { reasoning_effort: '${env:KEY}' }
    const error = await errorOf(() => checkReferring(layer, variables))
    expect(error).to.include({ code: 'CONFIG_INVALID', pointer: '/reasoning_effort' })
    expect(error.message)
      .to.include('must be "none"')
      .and.match(/[^.]\. The value comes from the environment variable "KEY"\.$/)
      .and.not.include('sk-12345')
  })

  it('CL-20 names a variable that the check needs and that is not set', async () => {
    const layer = { model: '${env:NO_SUCH}', tool_policy: { pay: '${env:UNSET}' } }
    const error = await errorOf(() => checkReferring(layer, variables))
    expect(error).to.include({ code: 'ENV_MISSING', pointer: '/tool_policy/pay' })
  })

  it('tells other faults as a check without references', async () => {
    for (const layer of [{ seed: 'x', model: '${env:KEY}' }, [], 5, { seed: 5n }]) {
      expect(await errorOf(() => checkReferring(layer, variables))).to.have.property(
        'code',
        'CONFIG_INVALID',
      )
    }
    const second = { on_interrupt: '${env:END}', top_p: 'x' }
    expect(await errorOf(() => checkReferring(second, variables))).to.have.property(
      'pointer',
      '/top_p',
    )
  })
})

describe('fillReferences', () => {
  it('CL-20 does not count the choice of a key as a secret', () => {
    const config = { tool_choice: '${env:CHOICE}', settings: { p: { key: '${env:KEY}' } } }
    expect(fillReferences(config, variables).secrets).to.deep.equal(['sk-12345', 'sk-12345'])
  })
})

describe('createHost', () => {
  it('CL-20 takes the values of variables for keys with fixed choices', async () => {
    process.env['BRAIDWORK_TEST_EFFORT'] = 'low'
    try {
      const config = mergeLayers({ reasoning_effort: '${env:BRAIDWORK_TEST_EFFORT}' as 'low' })
      await using host = await createHost({ config })
      expect(host.config.reasoning_effort).to.equal('low')
    } finally {
      delete process.env['BRAIDWORK_TEST_EFFORT']
    }
  })
})
