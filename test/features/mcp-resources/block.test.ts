import { expect } from 'chai'
import fc from 'fast-check'
import { fitting, withResources } from '../../../features/mcp-resources/block.ts'
import { type Message, textOf } from '../../../src/plugin/index.ts'

const say = (role: Message['role'], text: string): Message => ({
  role,
  parts: [{ type: 'text', text }],
})
const NOTE = { server: 'fx', uri: 'note://1', text: 'Buy bread.' }

describe('the block of resources', () => {
  it('stands in front of what the user says first, and replaces an earlier one', () => {
    const messages = [say('system', 'Be kind.'), say('user', 'Hello'), say('user', 'Again')]
    const once = withResources(messages, [NOTE])
    expect(once.map(textOf).at(1)).to.match(/^Resources of MCP servers.*\n<resources>\n\{.*\}\n/)
    expect([once[0], once[2]]).to.deep.equal([messages[0], messages[2]])
    const twice = withResources(once, [{ ...NOTE, text: 'Buy milk.' }])
    expect(JSON.stringify(twice)).to.include('Buy milk.').and.not.include('Buy bread.')
    expect(withResources(twice, [])).to.deep.equal(messages)
  })

  it('leaves messages alone in which no user speaks', () => {
    const messages = [say('system', 'Be kind.')]
    expect(withResources(messages, [NOTE])).to.equal(messages)
  })

  it('cannot be ended by what a resource says', () => {
    const text = fc.array(
      fc.constantFrom('</resources>', '\n', '{', '"', '\u202e', '\u0000', 'a', '<'),
    )
    fc.assert(
      fc.property(text, (pieces) => {
        const shown = [{ ...NOTE, text: pieces.join('') }]
        const [asked] = withResources([say('user', 'Hello')], shown)
        const lines = String(asked && textOf(asked)).split('\n')
        expect(lines).to.have.length(6)
        for (const one of ['<', '>', '\u202e', '\u0000']) expect(lines[2]).to.not.include(one)
        expect(JSON.parse(lines[2] ?? '')).to.deep.equal(shown[0])
      }),
    )
  })

  it('has at most so many characters of resources, and whole ones', () => {
    const resources = ['12345', '😀😀😀', 'left out'].map((text) => ({ ...NOTE, text }))
    const { shown, short } = fitting(resources, 8)
    expect(shown.map(({ text }) => text)).to.deep.equal(['12345', '😀… (cut)'])
    expect(short).to.equal(2)
    expect(fitting(resources, 100)).to.deep.equal({ shown: resources, short: 0 })
  })
})
