import { spawn } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { LAUNCH } from '../../browser/program.ts'

const SITE = fileURLToPath(new URL('../../../src/page/site/', import.meta.url))
const PEERS = new URL('../../peers/', import.meta.url)
const SCRIPT = fileURLToPath(new URL('markdown-in-browser.mjs', PEERS))
/** The policy under which the server sends the page. */
const POLICY = "default-src 'self'; img-src 'self' data: blob:"
const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Markdown</title>
<link rel="icon" href="/icon"><link rel="stylesheet" href="/page.css">
<div id="page"></div><script type="module" src="/page.js"></script></html>`
const PAGE = `
import { render } from 'preact'
import { Markdown } from './markdown/index.ts'
window.refused = []
addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective }) => {
  window.refused.push(effectiveDirective + ' ' + blockedURI)
})
window.show = (text, isStreaming) => {
  render(<Markdown text={text} isStreaming={isStreaming} />, document.querySelector('#page'))
}`

export interface PageJob {
  readonly name: string
  readonly steps: readonly {
    readonly show?: string
    readonly isStreaming?: boolean
    readonly press?: string
    readonly waitFor?: string
    readonly mark?: string
    readonly isMarked?: string
  }[]
}

/** What a page showed, asked for and ran. */
export interface PageShown {
  readonly name: string
  readonly thrown?: string
  readonly said: readonly string[]
  readonly asked: readonly string[]
  readonly refused: readonly string[]
  readonly marks: readonly boolean[]
  readonly hit: unknown
  readonly title: string
  readonly address: string
  readonly html: string
  readonly clipboard: string | null
  readonly took: number
}

/** A page with nothing but Markdown, served under the policy of the real one. */
export class MarkdownPage {
  readonly url: string
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async start(): Promise<MarkdownPage> {
    const files = await bundle()
    const server = createServer(({ url = '/' }, response) => {
      const body = url === '/' ? HTML : files.get(url)
      const type = TYPES.find(([end]) => url.endsWith(end))?.[1] ?? 'text/plain'
      response.writeHead(body === undefined ? 404 : 200, {
        'content-type': type,
        'content-security-policy': POLICY,
        'x-content-type-options': 'nosniff',
      })
      response.end(body)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return new MarkdownPage(server)
  }

  /** Does the jobs, each on a page of its own. */
  async use(jobs: readonly PageJob[]): Promise<ReadonlyMap<string, PageShown>> {
    const child = spawn(process.execPath, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] })
    child.stdin.end(JSON.stringify({ launch: LAUNCH, url: `${this.url}/`, jobs }))
    let text = ''
    for await (const piece of child.stdout.setEncoding('utf8')) text += piece as string
    const shown = JSON.parse(text) as readonly PageShown[]
    return new Map(shown.map((page) => [page.name, page]))
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }
}

const TYPES = [
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['/', 'text/html; charset=utf-8'],
] as const

async function bundle(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: SITE, sourcefile: 'page.tsx', loader: 'tsx' },
    entryNames: 'page',
    outdir: '/',
    bundle: true,
    write: false,
    minify: true,
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'error',
  })
  return new Map(outputFiles.map(({ path, text }) => [path, text]))
}
