import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { connectStdio } from '../../../../src/server/routes/mcp/stdio.ts'

describe('a client of MCP that is connected by two streams', () => {
  const connect = () => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const callerOf = () => expect.fail('nobody asked')
    return { input, connection: connectStdio({ input, output }, { callerOf, most: 1000 }) }
  }

  it('is gone when the connection is closed here', async () => {
    const { connection } = connect()
    await connection.close()
    await connection.closed
  })

  it('is gone when it sends a message that is too large', async () => {
    const { input, connection } = connect()
    input.write('x'.repeat(2000))
    await connection.closed
  })
})
