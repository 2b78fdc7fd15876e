import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import type { ActionContext, Config, ToolOutput } from '../../src/plugin/index.ts'
import { checkTarget } from '../../src/request-guard/index.ts'
import fetchTool from '../../tools/fetch/index.ts'
import { textOfHtml } from '../../tools/fetch/page-text.ts'
import { readSettings } from '../../tools/fetch/settings.ts'
import { scriptedHost } from '../helpers/hosts.ts'
import { errorOf } from '../helpers/plugins.ts'

type Page = {
  readonly url: string
  readonly status: number
  readonly text: string
  readonly note?: string
}

function configOf(settings: object = {}): Config {
  return { enabled_plugins: ['fetch'], settings: { fetch: { ...settings } } }
}

async function call(input: object, settings: object = {}, signal = new AbortController().signal) {
  const state = fetchTool.init(configOf({ allow_loopback: true, ...settings }))
  const context = { signal } as ActionContext
  const call = { callId: 'c', name: 'fetch_page', input }
  return (await fetchTool.executeTool(call, state, context)) as ToolOutput
}

async function refusal(input: object, settings: object = {}): Promise<string> {
  const { output, isError } = await call(input, settings)
  expect(isError, JSON.stringify(output)).to.equal(true)
  return typeof output === 'string' ? output : JSON.stringify(output)
}

function never(): AbortSignal {
  return new AbortController().signal
}

describe('fetch', () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })

  /** The address of a server that answers so. */
  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener)
    servers.push(server)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  async function servePage(body: string | Buffer, headers: { [name: string]: string } = {}) {
    return serve((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body),
    )
  }

  it('shows the text of a page', async () => {
    const url = await servePage(
      '<html><head><title>A  page</title><style>p {}</style></head><body><h1>Hi</h1><script>bad()</script>' +
        '<p>One &amp; <b>two</b>\n three</p><ul><li>a<li>b</ul></body></html>',
    )
    expect((await call({ url })).output).to.deep.equal({
      url: `${url}/`,
      status: 200,
      title: 'A page',
      text: '# Hi\nOne & two three\n- a\n- b',
    })
  })

  it('connects to the address that it has checked for a name', async () => {
    const url = await servePage('Hello')
    const named = url.replace('127.0.0.1', 'localhost')
    expect((await call({ url: named })).output).to.include({ status: 200, text: 'Hello' })
  })

  it('says that a compressed page ended too early', async () => {
    const whole = gzipSync('a'.repeat(5000) + Math.random())
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': whole.length })
      response.write(whole.subarray(0, 20), () => response.destroy())
    })
    expect(await refusal({ url })).to.include('could not be reached (ECONNRESET)')
  })

  it('shows other texts as they are, in their encoding', async () => {
    const json = await servePage('{"a": 1}', { 'content-type': 'application/json' })
    expect((await call({ url: json })).output).to.include({ text: '{"a": 1}' })
    const latin = await servePage(Buffer.from('gr\xfc\xdfe', 'latin1'), {
      'content-type': 'text/plain; charset=iso-8859-1',
    })
    expect((await call({ url: latin })).output).to.include({ text: 'grüße' })
  })

  it('says what it does not show', async () => {
    const url = await servePage(Buffer.from([1, 2]), { 'content-type': 'image/png' })
    expect(await refusal({ url })).to.include('image/png')
    const packed = await servePage('a', { 'content-encoding': 'zstd' })
    expect(await refusal({ url: packed })).to.include('content encoding "zstd"')
  })

  it('gives an error of the server as an error', async () => {
    const url = await serve((_request, response) =>
      response.writeHead(404, { 'content-type': 'text/plain' }).end('gone'),
    )
    expect(await call({ url })).to.deep.equal({
      output: { url: `${url}/`, status: 404, text: 'gone' },
      isError: true,
    })
  })

  it('stops at its limit, however large the page is', async () => {
    let written = 0
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': String(2 ** 30) })
      const piece = 'x'.repeat(64 * 1024)
      const write = () => {
        while (!response.destroyed && written < 2 ** 30) {
          written += piece.length
          if (!response.write(piece)) return void response.once('drain', write)
        }
      }
      write()
    })
    const { output } = await call({ url }, { max_bytes: 100_000, max_chars: 50 })
    expect((output as Page).text).to.equal('x'.repeat(50))
    expect(output).to.have.property('note')
    expect(written).to.be.below(50 * 2 ** 20)
  })

  it('counts what is packed as it is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 2 ** 20, 'a'))
    const url = await servePage(bomb, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
    const { output } = await call({ url }, { max_bytes: 1_000 })
    expect((output as Page).text).to.have.length(1_000)
    const broken = await servePage('no gzip', {
      'content-type': 'text/plain',
      'content-encoding': 'gzip',
    })
    expect(await refusal({ url: broken })).to.include('could not be reached')
  })

  it('ends at its time limit, before the answer and within it', async () => {
    const silent = await serve(() => undefined)
    expect(await refusal({ url: silent }, { timeout: 0.1 })).to.include('longer than 0.1 s')
    const slow = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('a')
    })
    expect(await refusal({ url: slow }, { timeout: 0.3 })).to.include('longer than 0.3 s')
  })

  it('ends where the call is cancelled, and closes the connection', async () => {
    const cancel = new AbortController()
    const closed = new Promise<void>((done) => {
      void serve((request) => {
        request.socket.once('close', () => done())
        cancel.abort()
      }).then((url) => errorOf(call({ url }, {}, cancel.signal)))
    })
    await closed
    expect(await errorOf(call({ url: 'http://127.0.0.1:9' }, {}, cancel.signal))).to.have.property(
      'name',
      'AbortError',
    )
  })

  it('says that a server is not there, or breaks off', async () => {
    expect(await refusal({ url: 'http://127.0.0.1:1/' })).to.include('could not be reached')
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' }).write('a')
      setImmediate(() => response.destroy())
    })
    expect(await refusal({ url })).to.include('could not be reached')
  })

  describe('follows redirects', () => {
    it('up to five', async () => {
      const url = await serve((request, response) => {
        const at = Number(request.url?.slice(1))
        if (at === 0) response.writeHead(200, { 'content-type': 'text/plain' }).end('here')
        else response.writeHead(302, { location: `/${at - 1}` }).end()
      })
      expect((await call({ url: `${url}/5` })).output).to.include({ url: `${url}/0`, text: 'here' })
      expect(await refusal({ url: `${url}/6` })).to.include('more than 5 times')
    })

    const places = [
      'http://10.0.0.1/',
      'http://169.254.169.254/latest',
      'http://[::ffff:10.0.0.1]/',
      'file:///etc/passwd',
      'http://a:b@example.org/',
      'http://',
    ]
    for (const location of places) {
      it(`but not to ${location}`, async () => {
        const url = await serve((_request, response) => response.writeHead(301, { location }).end())
        expect(await refusal({ url })).to.match(
          /not on the public|cannot be fetched|not a URL|invalid URL/,
        )
      })
    }

    it('but not to hosts that are not on the list', async () => {
      const url = await serve((_request, response) =>
        response.writeHead(301, { location: 'https://example.org/' }).end(),
      )
      expect(await refusal({ url }, { hosts: ['127.0.0.1'] })).to.include(
        '"example.org" is not among',
      )
    })
  })

  describe('refuses', () => {
    const refused = [
      'http://127.0.0.1/',
      'http://127.1/',
      'http://2130706433/',
      'http://0177.0.0.1/',
      'http://0x7f.1/',
      'http://0/',
      'http://10.1.2.3/',
      'http://172.16.0.1/',
      'http://192.168.1.1/',
      'http://100.64.0.1/',
      'http://169.254.169.254/',
      'http://[::1]/',
      'http://[::]/',
      'http://[::ffff:127.0.0.1]/',
      'http://[::ffff:7f00:1]/',
      'http://[fe80::1]/',
      'http://[fd00::1]/',
      'http://[64:ff9b::7f00:1]/',
      'http://[2002:7f00:1::]/',
      'http://localhost/',
      'http://LOCALHOST./',
      'http://a.localhost/',
      'http://printer.local/',
      'http://metadata.google.internal/',
      'http://intranet/',
      'http://①②⑦.0.0.1/',
      'ftp://example.org/',
      'file:///etc/passwd',
      'data:text/plain,a',
      'http://u:p@example.org/',
      'example',
      '',
    ]
    for (const url of refused) {
      it(JSON.stringify(url), async () => {
        expect(await refusal({ url }, { allow_loopback: false })).to.match(
          /not on the public|cannot be fetched|not a URL|invalid URL/,
        )
      })
    }

    it('names that lead to private addresses, one of many too', async () => {
      const state = readSettings(configOf())
      const answers = [
        [{ address: '10.0.0.1', family: 4 }],
        [
          { address: '93.184.216.34', family: 4 },
          { address: '::1', family: 6 },
        ],
        [],
      ]
      for (const answer of answers) {
        const error = await errorOf(
          checkTarget('https://evil.example.org/', state, never(), async () => answer),
        )
        expect(error.message).to.include('not on the public internet')
      }
      const gone = () => Promise.reject(new Error('ENOTFOUND'))
      expect(
        (await errorOf(checkTarget('https://no.example.org/', state, never(), gone))).message,
      ).to.include('no IP address')
    })
  })

  it('keeps to the hosts on its list', async () => {
    const state = readSettings(configOf({ hosts: ['Example.org', '*.example.com'] }))
    const resolve = async () => [{ address: '93.184.216.34', family: 4 }]
    const check = (url: string) => checkTarget(url, state, never(), resolve)
    expect((await check('https://example.org/')).url.host).to.equal('example.org')
    expect((await check('https://a.example.com/')).url.host).to.equal('a.example.com')
    for (const url of [
      'https://a.example.org/',
      'https://example.com/',
      'https://badexample.com/',
    ]) {
      expect((await errorOf(check(url))).message).to.include('not among')
    }
  })

  it('uses other methods where they are allowed', async () => {
    const seen: (string | undefined)[] = []
    const url = await serve((request: IncomingMessage, response) => {
      request.on('data', (data: Buffer) =>
        seen.push(request.method, request.headers['content-type'], String(data)),
      )
      request.on('end', () => response.writeHead(200, { 'content-type': 'text/plain' }).end('done'))
      request.resume()
    })
    const input = { url, method: 'POST', body: '{}', content_type: 'application/json' }
    expect((await call(input, { methods: ['GET', 'POST'] })).output).to.include({ text: 'done' })
    expect(seen).to.deep.equal(['POST', 'application/json', '{}'])
    const schemaOf = (settings: object) =>
      fetchTool.getToolSchemas(readSettings(configOf(settings)))[0]
    expect(schemaOf({})?.input_schema['properties']).to.have.keys('url')
    expect(schemaOf({})?.safety).to.include({ is_read_only: true, is_concurrency_safe: true })
    const sending = schemaOf({ methods: ['GET', 'POST'] })
    expect(sending?.safety).to.include({ is_read_only: false, is_destructive: true })
    expect(sending?.input_schema['properties']).to.deep.include({
      method: { type: 'string', enum: ['GET', 'POST'] },
      body: { type: 'string', description: 'Request body' },
      content_type: {
        type: 'string',
        pattern: '^[\\x20-\\x7e]{1,100}$',
        description: 'Content type of the body',
      },
    })
  })

  it('reads pages that are badly made or deeply nested', () => {
    const levels = [1, 2, 3, 4, 5, 6]
    const headings = levels.map((level) => `<h${level}>Level ${level}</h${level}>`).join('')
    expect(textOfHtml(headings).text.split('\n')).to.deep.equal(
      levels.map((level) => `${'#'.repeat(level)} Level ${level}`),
    )
    expect(textOfHtml(`${'<div>'.repeat(200_000)}deep`).text).to.equal('deep')
    expect(textOfHtml('<p>a<p>b</div></script>c<!-- d -->&nbsp;&#x41;<').text).to.equal(
      'a\nb\nc A<',
    )
    expect(textOfHtml('<head><title>T</title><body>seen')).to.deep.equal({
      title: 'T',
      text: 'seen',
    })
    expect(textOfHtml('<svg><g>no</g></p><svg>no</svg></svg>yes').text).to.equal('yes')
    expect(textOfHtml('<script>if (a < b) "<p>no"</script><p>yes').text).to.equal('yes')
  })

  it('leaves out what a page hides by its tags', () => {
    const hidden = [
      '<p hidden>no</p>',
      '<p HIDDEN=until-found>no</p>',
      '<div style="display:none"><p>no</p><div>no</div>no</div>',
      '<div style="color:red; VISIBILITY : hidden !important">no</div>',
      '<div style="display&#58;none">no</div>',
      '<span style="font-size:0">no</span>',
      '<span style="font-size:0.0px">no</span>',
      '<span style="opacity:0">no</span>',
      '<div style="height:0;overflow:hidden">no</div>',
      '<div aria-hidden="true">no<br>no</div>',
      '<dialog>no</dialog>',
      '<div hidden></span></p>no</div>',
      '<ul><li hidden>no<ul><li>no</ul>no</ul>',
      '<p hidden>no',
    ]
    for (const part of hidden) {
      expect(textOfHtml(`<p>one</p>${part}<p>two</p>`).text, part).to.equal('one\ntwo')
    }
  })

  it('shows what a page does not hide, also where end tags are missing', () => {
    for (const part of [
      '<ul><li hidden>no<li>yes</ul>',
      '<ul><li hidden>no</ul>yes',
      '<div><i aria-hidden=true>no</div>yes',
      '<div aria-hidden="false">yes</div>',
      '<input hidden>yes',
      '<dialog open>yes</dialog>',
      '<div style="height:0">yes</div><p style="font-size:0.5em">',
      '<body style="opacity:0">yes',
      '<p style="opacity:inherit;visibility:;font-size">yes',
    ]) {
      expect(textOfHtml(part).text.replace('- ', ''), part).to.equal('yes')
    }
  })

  it('makes marks of text direction and invisible characters visible', async () => {
    const url = await servePage(
      '<meta charset=utf-8><title>a\u202eb</title><p>x\u202ey\u200b\u{e0041}z 👩\u200d💻 an\u00adon',
    )
    const { output } = await call({ url })
    expect(output).to.deep.include({
      title: 'a<U+202E>b',
      text: 'x<U+202E>y<U+200B><U+E0041>z 👩\u200d💻 anon',
    })
  })

  it('is off until it is asked for', async () => {
    const host = await scriptedHost([fetchTool])
    expect((await host.resolve({})).enabled.tools).to.deep.equal([])
    expect((await host.resolve(configOf())).enabled.tools).to.deep.equal(['fetch'])
  })

  it('refuses settings that are wrong', () => {
    for (const settings of [
      { hosts: 'a' },
      { methods: ['TRACE'] },
      { max_bytes: 0 },
      { timeout: 'a' },
      { allow_loopback: 1 },
    ]) {
      expect(() => readSettings(configOf(settings)))
        .to.throw()
        .with.property('code', 'SETTINGS_INVALID')
    }
  })
})
