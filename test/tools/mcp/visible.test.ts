import { expect } from 'chai'
import { oneLine, visible, visibleCut } from '../../../tools/mcp/visible.ts'

describe('a text of an MCP server, made visible', () => {
  it('shows the code of each character that people do not see', () => {
    expect(visible('a\u200bb\u202ec\u0007')).to.equal('a<U+200B>b<U+202E>c<U+0007>')
    expect(visible('one\r\ntwo\n\tthree é 茶')).to.equal('one\ntwo\n\tthree é 茶')
  })

  it('says how much of it is left out', () => {
    expect(visibleCut('tea', 3)).to.equal('tea')
    expect(visibleCut('teas', 3)).to.equal('tea… (1 more characters are left out)')
  })

  it('is one line without spaces around it', () => {
    expect(oneLine('\n\t no such \r\n  tea \n')).to.equal('no such tea')
    expect(oneLine(' tea', 3)).to.equal('te… (1 more characters are left out)')
  })
})
