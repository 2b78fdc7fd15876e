import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { messageOf } from '../../../../tools/mcp/connection/connection.ts'
import { httpFault, isBroken } from '../../../../tools/mcp/connection/http-fault.ts'
import { Problem } from '../../../../tools/mcp/problem.ts'

/** An error of another context, as the errors of Node are under jest. */
const foreign = (code: string): unknown =>
  runInNewContext(`Object.assign(new Error('no connection'), { code: '${code}' })`)

describe('the fault of an MCP server over HTTP', () => {
  it('is known by the code of the cause, also of an error of another context', () => {
    const error = new Problem('it could not be reached', { cause: foreign('ECONNREFUSED') })
    expect(httpFault(error, 'tickets')).to.include({ code: 'ECONNREFUSED' })
    expect(isBroken(new Problem('it broke', { cause: foreign('ECONNRESET') }))).to.equal(true)
    expect(isBroken(new Problem('it broke'))).to.equal(false)
    expect(httpFault(new Problem('it broke'), 'tickets')).to.equal(undefined)
  })

  it('has the message of an error of any context, and any other value as a text', () => {
    expect([foreign('X'), new Error('no'), 'text', undefined].map(messageOf)).to.deep.equal([
      'no connection',
      'no',
      'text',
      'undefined',
    ])
  })
})
