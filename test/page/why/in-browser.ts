import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { LAUNCH } from '../../browser/program.ts'

const PEERS = new URL('../../peers/', import.meta.url)
const SITE = fileURLToPath(new URL('../../../src/page/site/', import.meta.url))

/** What is done to the drawer, one thing after another. */
export interface Step {
  readonly click?: readonly [role: string, name: string]
  readonly press?: string
  /** The status of all answers from now on; 0 for no answer, null for the server's own. */
  readonly fail?: number | null
  readonly waitFor?: string
  readonly read?: string
  readonly picture?: string
}

export interface Job {
  readonly name: string
  readonly width?: number
  readonly dark?: boolean
  readonly agent?: string
  /** The default is `en-US`. */
  readonly locale?: string
  readonly steps: readonly Step[]
}

/** What a job read, and errors on its page. */
export interface Used {
  readonly name: string
  readonly said: readonly string[]
  readonly read: readonly unknown[]
  readonly thrown?: string
}

const PAGE = `
import { h, render } from 'preact'
import { useState } from 'preact/hooks'
import { Client } from './server/index.ts'
import { Why } from './why/index.ts'
import { loadWords } from './words/index.ts'

const agent = new URLSearchParams(location.search).get('agent') || undefined
const place = { agent, conversationId: undefined }
const ensure = async () => place
const client = new Client(new URL('./', location.href), () => undefined, () => undefined)

function Page() {
  const [isOpen, setIsOpen] = useState(false)
  return h('main', {}, h('h1', {}, 'Chat'),
    h('button', { type: 'button', onClick: () => setIsOpen(true) }, 'Why'),
    isOpen ? h(Why, { client, place, titles: new Map(), ensure, onClose: () => setIsOpen(false) }) : null)
}

void loadWords().then(() => render(h(Page), document.getElementById('page')))
`

const COLORS = `
:root { color-scheme: light dark; --radius: 8px; --mono: ui-monospace, 'DejaVu Sans Mono', monospace;
  --bg: #f6f6f4; --panel: #ffffff; --text: #1d1e20; --muted: #62666d; --line: #dcdcd8; --accent: #2b5fb8;
  --on: #1f7a4d; --off: #8a8e94; --warn: #a8480b }
@media (prefers-color-scheme: dark) { :root { --bg: #17181a; --panel: #1f2123; --text: #e8e8e6;
  --muted: #a0a4aa; --line: #3a3d41; --accent: #8db4f5; --on: #5cc492; --off: #7d8288; --warn: #f0a066 } }
body { margin: 0; padding: 2rem; color: var(--text); background: var(--bg); font: 16px/1.5 system-ui, sans-serif }
`

const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Chat</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<link rel="stylesheet" href="./page.css"><div id="page"></div>
<script type="module" src="./page.js"></script></html>`

/** The policy of the page, so that nothing is used that it forbids. */
const HEADERS = {
  'content-security-policy': "default-src 'self'; img-src 'self' data: blob:",
}

/** Has the drawer used in a browser, with a server. */
export async function useDrawer(
  url: string,
  jobs: readonly Job[],
): Promise<ReadonlyMap<string, Used>> {
  const files = await bundle()
  const child = spawn(process.execPath, [fileURLToPath(new URL('why-in-browser.mjs', PEERS))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const input = { launch: LAUNCH, url, html: HTML, headers: HEADERS, files, jobs }
  child.stdin.end(JSON.stringify(input))
  let text = ''
  for await (const piece of child.stdout.setEncoding('utf8')) text += piece as string
  const used = JSON.parse(text) as readonly Used[]
  return new Map(used.map((one) => [one.name, one]))
}

async function bundle() {
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: SITE, sourcefile: 'page.ts', loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    outdir: SITE,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'error',
  })
  const textOf = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? ''
  return {
    'page.js': { type: 'text/javascript; charset=utf-8', body: textOf('.js') },
    'page.css': { type: 'text/css; charset=utf-8', body: COLORS + textOf('.css') },
  }
}
