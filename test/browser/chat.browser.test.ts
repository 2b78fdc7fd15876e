import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { build } from 'esbuild'
import { SDK_VERSIONS, type SdkVersion } from '../../src/server/wire/ui-message-stream/index.ts'
import { INSTALLED_WITHIN, PackedServer } from '../server/clients/packed-server.ts'
import { COUNTED, SERVED } from '../server/clients/scripts.ts'
import { BROWSER_IS_MISSING, LAUNCH } from './program.ts'

const PEERS = new URL('../peers/', import.meta.url)
const REACT = { 5: '@ai-sdk/react-5', 6: '@ai-sdk/react-6', 7: '@ai-sdk/react' } as const

interface Shown {
  readonly name: string
  readonly thrown?: string
  readonly said: readonly string[]
  readonly messages: readonly { readonly role: string; readonly parts: readonly string[] }[]
  readonly status: string
  readonly error: string
}

const send = (text: string) => [{ type: text }, { press: 'Send' }]
const IT_IS = 'It is {"expression":"6 * 7","result":"42","exact":true}.'
const READY = { settle: 'ready' }

/** What is done on a page, and what its last message comes to. */
const PAGES: { readonly [name: string]: { readonly model: string; readonly steps: object[] } } = {
  stream: { model: 'quick', steps: [...send('hello'), { waitFor: 'said: hello' }, READY] },
  stop: {
    model: 'slow',
    steps: [...send('count'), { waitFor: 'number 9' }, { press: 'Stop' }, READY],
  },
  resume: {
    model: 'slow',
    steps: [
      ...send('count'),
      { waitFor: 'number 9' },
      { reload: true },
      { waitFor: 'number 60' },
      READY,
    ],
  },
  regenerate: {
    model: 'quick',
    steps: [
      ...send('hello'),
      { waitFor: 'said: hello' },
      READY,
      { press: 'Regenerate', anew: true },
      READY,
    ],
  },
  approve: {
    model: 'careful',
    steps: [
      ...send('calculate'),
      { waitFor: 'Approve' },
      READY,
      { reload: true },
      { waitFor: 'Approve' },
      ...picture('approve'),
      { press: 'Approve' },
      { waitFor: 'It is' },
      READY,
    ],
  },
  deny: {
    model: 'careful',
    steps: [
      ...send('calculate'),
      { waitFor: 'Deny' },
      READY,
      { press: 'Deny' },
      { waitFor: 'not approved..' },
      READY,
    ],
  },
  fail: { model: 'quick', steps: [...send('break'), { settle: 'error' }, ...picture('fail')] },
}

/** What is tried in every version, the rest in the newest: clients without a page have all of it. */
const EVERYWHERE = new Set(['resume', 'approve'])

/** A picture, where one is wanted. */
function picture(name: string): object[] {
  const folder = process.env['SCREENSHOTS']
  return folder === undefined ? [] : [{ picture: `${folder}/chat-${name}.png` }]
}

describe('a chat page in a browser with a server', function () {
  this.timeout(120_000)
  let server: PackedServer
  let pages: ReadonlyMap<string, Shown>

  before(async function () {
    this.timeout(INSTALLED_WITHIN)
    if (BROWSER_IS_MISSING !== undefined) {
      process.stderr.write(`"${this.test?.parent?.title}" is skipped: ${BROWSER_IS_MISSING}\n`)
      return this.skip()
    }
    server = await PackedServer.start(SERVED)
    const scripts = Object.fromEntries(
      await Promise.all(SDK_VERSIONS.map(async (sdk) => [sdk, await bundle(sdk)] as const)),
    )
    const jobs = SDK_VERSIONS.flatMap((sdk) =>
      Object.entries(PAGES)
        .filter(([does]) => sdk === 7 || EVERYWHERE.has(does))
        .map(([does, page]) => {
          const name = `${does} ${sdk}`
          return { name, sdk: String(sdk), id: `${does}-${sdk}`, ...page }
        }),
    )
    pages = await usePages({ launch: LAUNCH, url: server.url, scripts, jobs })
  })
  after(async () => {
    if (server) expect(await server.stop()).to.equal(0)
  })

  /** The roles, and the parts of the last message, of a page where nothing was thrown. */
  function shownOn(name: string, status = 'ready') {
    const page = pages.get(name) ?? expect.fail(`no page ${name}`)
    expect({ thrown: page.thrown, said: page.said }).to.deep.equal({ thrown: undefined, said: [] })
    expect(page.status).to.equal(status)
    expect(page.messages.map(({ role }) => role)).to.deep.equal(['user', 'assistant'])
    return { error: page.error, parts: page.messages.at(-1)?.parts ?? [] }
  }

  for (const sdk of SDK_VERSIONS) {
    it(`${sdk} resumes after it was loaded anew in the middle`, () => {
      expect(shownOn(`resume ${sdk}`).parts.at(-1)).to.equal(COUNTED)
    })

    it(`${sdk} asks for an approval when it was loaded anew, and goes on with the answer`, () => {
      const { parts } = shownOn(`approve ${sdk}`)
      expect(parts).to.include('dynamic-tool output-available')
      expect(parts.at(-1)).to.equal(IT_IS)
    })
  }

  it('streams, and answers anew', () => {
    for (const does of ['stream', 'regenerate']) {
      expect(shownOn(`${does} 7`).parts.at(-1)).to.equal('You said: hello')
    }
  })

  it('stops', () => {
    const said = shownOn('stop 7').parts.at(-1) ?? ''
    expect(COUNTED.startsWith(said) && said.length < COUNTED.length).to.equal(true)
  })

  it('denies what it was asked for', () => {
    const { parts } = shownOn('deny 7')
    expect(parts).to.include('dynamic-tool output-denied')
    expect(parts.at(-1)).to.equal('It is The call was not approved..')
  })

  it('shows an error, and what came before it', () => {
    const { error, parts } = shownOn('fail 7', 'error')
    expect(error).to.include('STREAM_INTERRUPTED')
    expect(parts.at(-1)).to.equal('number 1, number 2')
  })
})

async function bundle(sdk: SdkVersion): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('chat-page.mjs', PEERS))],
    absWorkingDir: fileURLToPath(PEERS),
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    alias: { 'chat-react': REACT[sdk], 'chat-ai': `ai-${sdk}` },
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

async function usePages(input: object): Promise<ReadonlyMap<string, Shown>> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('chat-in-browser.mjs', PEERS))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(input))
  let text = ''
  for await (const piece of child.stdout.setEncoding('utf8')) text += piece as string
  const pages = JSON.parse(text) as readonly Shown[]
  return new Map(pages.map((page) => [page.name, page]))
}
