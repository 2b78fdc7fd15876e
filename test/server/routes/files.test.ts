import { expect } from 'chai'
import type { Provider } from '../../../src/plugin/index.ts'
import { chatBody, Served } from './served.ts'

/** Says what files it was shown. */
const looking = {
  kind: 'provider',
  name: 'looking',
  getModels: () => ['eyes'],
  toNative: (messages) => ({
    seen: messages.flatMap(({ parts }) =>
      parts.flatMap((part) =>
        part.type === 'file'
          ? [`${part.mediaType} ${part.name ?? ''} ${part.data ?? part.url}`]
          : [],
      ),
    ),
  }),
  call: (native, state) => [[], [native], native, state],
  fromNative: (natives) =>
    natives.map((native) => ({
      role: 'assistant',
      parts: [{ type: 'text', text: JSON.stringify(native) }],
    })),
} satisfies Provider<{ readonly seen: readonly string[] }>

describe('files of a conversation', () => {
  let served: Served
  beforeEach(async () => {
    const models = { eyes: { config: { provider: 'looking', model: 'eyes' } } }
    const own = { plugins: [looking], config: { provider: 'looking' } }
    served = await Served.start({ models }, own)
    await served.ask('/api/conversations', { body: { id: 'c1' } })
  })
  afterEach(() => served.close())

  const upload = (query = '', type = 'image/png') =>
    served.ask(`/api/conversations/c1/files${query}`, {
      body: new Uint8Array([1, 2, 3]),
      headers: type === '' ? {} : { 'content-type': type },
    })

  it('are uploaded, and used by a model under their addresses', async () => {
    const { status, json } = await upload('?name=a.png')
    expect([status, json['size'], json['mediaType']]).to.deep.equal([201, 3, 'image/png'])
    const file = { type: 'file', mediaType: 'image/png', url: json['url'] }
    const { text } = await served.ask('/api/chat', {
      body: chatBody('c1', [{ id: 'u1', role: 'user', parts: [file] }], { agent: 'eyes' }),
    })
    expect(text).to.include('image/png a.png AQID')
    const [asked] = await served.history('c1')
    expect(asked?.parts[0]).to.deep.include({ url: json['url'] })
  })

  it('are taken out of a form, as a page sends them', async () => {
    const form = new FormData()
    form.append('note', 'a text beside it')
    form.append('file', new File([new Uint8Array([1, 2, 3])], 'b.png', { type: 'image/png' }))
    const { headers, body } = new Request('http://localhost', { method: 'POST', body: form })
    const bytes = new Uint8Array(await new Response(body).arrayBuffer())
    const type = headers.get('content-type') ?? ''
    const sent = { body: bytes, headers: { 'content-type': type } }
    const { status, json } = await served.ask('/api/conversations/c1/files', sent)
    expect([status, json['size'], json['mediaType']]).to.deep.equal([201, 3, 'image/png'])
    expect((await served.ask(String(json['url']))).text).to.equal('\u0001\u0002\u0003')
    for (const [text, says] of [
      [`--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n`, 'no file'],
      ['no form at all', 'no file'],
      [
        '--x\r\ncontent-disposition: form-data; name="f"; filename="f"\r\ncontent-type: no type\r\n\r\nb\r\n--x--\r\n',
        'must give the media type',
      ],
    ] as const) {
      const refused = await served.ask('/api/conversations/c1/files', {
        body: text,
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      })
      expect(refused.status).to.equal(400)
      expect(refused.text).to.include(says)
    }
  })

  it('have the size that the limit says in a form too, whose own bytes do not count', async () => {
    const own = await Served.start({ limits: { file: 1000 } })
    try {
      await own.ask('/api/conversations', { body: { id: 'c', agent: 'quick' } })
      const send = async (size: number, note = '') => {
        const form = new FormData()
        form.append('note', note)
        form.append('file', new File([new Uint8Array(size)], 'a.png', { type: 'image/png' }))
        const { headers, body } = new Request('http://localhost', { method: 'POST', body: form })
        const bytes = new Uint8Array(await new Response(body).arrayBuffer())
        const type = headers.get('content-type') ?? ''
        const sent = { body: bytes, headers: { 'content-type': type } }
        return own.ask('/api/conversations/c/files', sent)
      }
      expect(await send(1000)).to.include({ status: 201 })
      const larger = await send(1001)
      expect([larger.status, larger.json['error']?.['code']]).to.deep.equal([
        413,
        'REQUEST_TOO_LARGE',
      ])
      expect((await send(1, 'x'.repeat(1 << 17))).status).to.equal(413)
    } finally {
      await own.close()
    }
  })

  it('are given back as what no page would run', async () => {
    const { json } = await upload('', 'text/html')
    const { headers, text } = await served.ask(String(json['url']))
    expect(text).to.equal('\u0001\u0002\u0003')
    expect(headers.get('content-disposition')).to.equal('attachment')
    expect(headers.get('content-security-policy')).to.include('sandbox')
    expect(headers.get('x-content-type-options')).to.equal('nosniff')
  })

  it('say what they are, and belong to whoever uploaded them', async () => {
    expect((await upload('', 'nonsense')).json['error']?.['pointer']).to.equal('/Content-Type')
    const { json } = await upload()
    expect((await served.ask(String(json['url']), { as: 'bob' })).status).to.equal(404)
    const file = { type: 'file', mediaType: 'image/png', url: json['url'] }
    const { status, text } = await served.ask('/api/chat', {
      body: chatBody('c2', [{ id: 'u1', role: 'user', parts: [file] }], { agent: 'eyes' }),
      as: 'bob',
    })
    expect(status).to.equal(400)
    expect(text).to.include('MESSAGES_INVALID')
  })
})
