import { expect } from 'chai'
import { readServerConfig } from '../../src/server/server-config.ts'
import { errorOf } from '../helpers/plugins.ts'

describe('the config of a server', () => {
  const token = (name: string, id: string) => ({ token: `${name}-0123456789abcdef`, id })

  it('names the later of two entries with the same token', async () => {
    const tokens = [token('ada', 'a'), token('bob', 'b'), token('ada', 'c')]
    const error = await errorOf(readServerConfig({ tokens }, {}))
    expect(error).to.include({ code: 'CONFIG_INVALID', pointer: '/server/tokens/2/token' })
  })

  it('names the values that a setting of the server may have', async () => {
    const error = await errorOf(readServerConfig({ keep_responses: true }, {}))
    expect(error.message).to.include('"keep_responses" must be false, or of type number')
  })
})
