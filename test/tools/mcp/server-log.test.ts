import type { Client } from '@modelcontextprotocol/client'
import { expect } from 'chai'
import { levelOf, ServerLog, withLogLevel } from '../../../tools/mcp/server-log.ts'

describe('the log of an MCP server', () => {
  it('ends with a line that says so where the server floods it', () => {
    const lines: string[] = []
    const log = new ServerLog('fx')
    log.tell('info', 'to nobody')
    log.use(({ level, message }) => void lines.push(`${level} ${message}`))
    for (let line = 0; line < 500; line++) log.tell('info', ` line ${line}\n`)
    expect(lines).to.have.length(99)
    expect(lines[0]).to.equal('info MCP server "fx": line 0')
    expect(lines.at(-2)).to.equal('info MCP server "fx": line 97')
    expect(lines.at(-1)).to.equal('info MCP server "fx": wrote too much; more lines are left out')
  })

  it('has the levels of the host', () => {
    const levels = ['debug', 'info', 'notice', 'warning', 'error', 'emergency', 'other']
    expect(levels.map(levelOf)).to.deep.equal([
      'debug',
      'info',
      'info',
      'warn',
      'error',
      'error',
      'error',
    ])
  })

  it('is asked for in each request where the protocol wants it, and nowhere else', () => {
    const client = (era: string) => ({ getProtocolEra: () => era }) as unknown as Client
    const params = { name: 'look', arguments: {}, _meta: { progressToken: 1 } }
    expect(withLogLevel(client('legacy'), params)).to.equal(params)
    expect(withLogLevel(client('modern'), params)).to.deep.equal({
      ...params,
      _meta: { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'info' },
    })
  })
})
