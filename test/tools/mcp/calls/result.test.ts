import { expect } from 'chai'
import { outputOf } from '../../../../tools/mcp/calls/result.ts'

const image = { type: 'image', data: 'AAECAwQ=', mimeType: 'image/png' }
const text = { type: 'text', text: 'A point' }
const blob = {
  type: 'resource',
  resource: { uri: 'file:///a.bin', mimeType: 'application/x', blob: 'BQYH' },
}
const picture = { type: 'file', mediaType: 'image/png', data: image.data }

describe('the result of a call of an MCP server', () => {
  it('is its structured content, where that says it all', () => {
    const structuredContent = { point: 1 }
    expect(outputOf({ content: [text], structuredContent })).to.deep.equal({
      output: structuredContent,
    })
    expect(outputOf({ structuredContent: null })).to.deep.equal({ output: null })
  })

  it('has the structured content as a text beside media', () => {
    const { output } = outputOf({ content: [text, image], structuredContent: { point: 1 } })
    expect(output).to.deep.equal([{ type: 'text', text: '{"point":1}' }, picture])
  })

  for (const [name, content] of Object.entries({ image: [image], 'text and image': [text, image] }))
    it(`is its content alone, where structured content repeats it: ${name}`, () => {
      const alone = outputOf({ content })
      expect(outputOf({ content, structuredContent: { content } })).to.deep.equal(alone)
      expect(outputOf({ content, structuredContent: content })).to.deep.equal(alone)
    })

  it('has a file alone, where structured content repeats it', () => {
    const { output } = outputOf({ content: [blob], structuredContent: { content: [blob] } })
    expect(output).to.deep.equal([
      { type: 'file', mediaType: 'application/x', data: 'BQYH', name: 'file:///a.bin' },
    ])
  })

  it('keeps the facts of structured content that are no repetition', () => {
    const structuredContent = {
      width: 2,
      shown: [],
      caption: text.text,
      png: image.data,
      url: `data:image/png;base64,${image.data}`,
      blocks: [image, { ...image, data: 'other' }],
    }
    const { output } = outputOf({ content: [text, image], structuredContent })
    const [first, ...others] = output as readonly { readonly text: string }[]
    expect(others).to.deep.equal([picture])
    expect(JSON.parse(first?.text ?? '')).to.deep.equal({
      width: 2,
      shown: [],
      caption: text.text,
      blocks: [{ ...image, data: 'other' }],
    })
  })

  it('takes structured content as it is, where a medium is empty', () => {
    const empty = { ...image, data: '' }
    const { output } = outputOf({ content: [empty], structuredContent: { note: '' } })
    expect(output).to.deep.include({ type: 'text', text: '{"note":""}' })
  })
})
