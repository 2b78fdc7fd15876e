import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { readServerConfig, SERVER_SCHEMA } from '../../src/server/server-config.ts'
import { COMMAND } from '../cli/command.ts'
import { ROOT } from '../helpers/source-files.ts'
import { Served } from './routes/served.ts'

const GUIDE = readFileSync(join(ROOT, 'docs/server.md'), 'utf8')
const BRAIDWORK = `"${process.execPath}" "${COMMAND}"`
const SERVE = 'npx braidwork serve --port 8787'
const ADDRESS = 'http://127.0.0.1:8787'

interface Block {
  readonly language: string
  readonly code: string
}

const BLOCKS: readonly Block[] = [...GUIDE.matchAll(/^```(\w+)[^\n]*\n(.*?)\n```$/gms)].map(
  ([, language = '', code = '']) => ({ language, code }),
)

/** The section under a heading. */
function section(heading: string): string {
  const [, rest = ''] = GUIDE.split(`\n## ${heading}\n`)
  return rest.split('\n## ')[0] ?? ''
}

/** Ids and times are those of the day on which the guide was written. */
function timeless(text: string): string {
  return text
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID')
    .replaceAll(/"created":\d+/g, '"created":TIME')
}

describe('the guide to the server', function () {
  this.timeout(30_000)
  let folder: string
  let child: ChildProcess
  let env: NodeJS.ProcessEnv
  let url: string

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'braidwork-guide-'))
    const own = { XDG_CONFIG_HOME: '/dev/null/none', XDG_DATA_HOME: folder }
    env = { ...process.env, ...own, NO_COLOR: '1', NODE_OPTIONS: '' }
    const command = `exec ${runnable(SERVE).replace('8787', '0')}`
    child = spawn('sh', ['-c', command], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] })
    const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [unknown]
    url = String(line).trim()
  })
  after(async () => {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exited).to.deep.equal([0, null])
    rmSync(folder, { recursive: true })
  })

  /** A command of the guide, of this braidwork and for this server. */
  function runnable(command: string): string {
    return command.replaceAll('npx braidwork', BRAIDWORK).replaceAll(ADDRESS, url)
  }

  function shell(command: string): Promise<string> {
    return new Promise((done) => {
      execFile('sh', ['-c', `${command} 2>&1`], { cwd: folder, env }, (_error, out) => done(out))
    })
  }

  it('has commands that print what it says', async () => {
    expect(url).to.match(/^http:\/\/127\.0\.0\.1:\d+$/)
    const commands = BLOCKS.flatMap(({ language, code }, at) =>
      language === 'sh' && code !== SERVE ? [[code, BLOCKS[at + 1]] as const] : [],
    )
    expect(commands).to.have.length.of.at.least(2)
    const hasCurl = spawnSync('curl', ['--version']).status === 0
    if (!hasCurl) process.stderr.write('commands of curl are skipped: there is none here\n')
    for (const [command, output] of commands) {
      if (command.startsWith('curl') && !hasCurl) continue
      expect(output?.language, command).to.equal('text')
      expect(timeless(await shell(runnable(command))).trim()).to.equal(timeless(output?.code ?? ''))
    }
  })

  it('has `server` sections that the server accepts', async () => {
    const configs = BLOCKS.filter(({ language }) => language === 'json')
    expect(configs).to.have.length.of.at.least(2)
    const variables = { ADA_TOKEN: 'ada-0123456789abcdef' }
    const read = configs.map(({ code }) => {
      const { server } = JSON.parse(code) as { readonly server: object }
      return readServerConfig(server, variables)
    })
    expect((await Promise.all(read))[0]?.models).to.have.property('assistant')
  })

  it('explains every key of that section, and no other', () => {
    const table = section('Configuration')
    const rows = [...table.matchAll(/^\| (`[^|]*`) \|/gm)].map(([, keys = '']) => keys)
    const named = rows.flatMap((keys) => [...keys.matchAll(/`(\w+)`/g)].map(([, key = '']) => key))
    expect(named.sort()).to.deep.equal(Object.keys(SERVER_SCHEMA.properties).sort())
  })

  it('names endpoints that exist', async () => {
    const page = new Map([['index.html', { type: 'text/html', body: new Uint8Array() }]])
    const served = await Served.start({ page })
    const rows = [...section('Endpoints').matchAll(/^\| (`[^|]*`) \|/gm)].map(([, of = '']) => of)
    const asked = rows.flatMap((row) => addressesIn(row))
    expect(asked).to.have.length.of.at.least(30)
    expect((await served.ask('/nowhere')).text).to.match(/The server has no route GET /)
    for (const [method, path] of asked) {
      const { text } = await served.ask(path, { method, ...(method === 'GET' ? {} : { body: {} }) })
      expect(text, `${method} ${path}`).to.not.match(/The server has no route /)
    }
    await served.close()
  })
})

/** Methods and paths of a row: `GET`, `POST /a/{id}` are two of one path. */
function addressesIn(row: string): readonly (readonly [method: string, path: string])[] {
  const pieces = [...row.matchAll(/`([^`]+)`/g)].map(([, piece = '']) => piece)
  let path = ''
  return pieces.reverse().map((piece) => {
    const [method = '', own] = piece.split(' ')
    path = own === undefined ? path : own.replaceAll(/\{\w+\}/g, 'x')
    return [method, path] as const
  })
}
