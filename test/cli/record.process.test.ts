import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { ReplayServer } from '../../scripts/replay/replay-server.ts'
import { readExchanges } from '../../src/testing/index.ts'
import { type CommandFolder, eachCommandFolder } from '../helpers/command-folder.ts'
import { ROOT } from '../helpers/source-files.ts'

const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
const PIECES = [
  chunk({ role: 'assistant', content: 'It is ' }),
  chunk({ content: 'hot.' }),
  chunk({}, 'stop'),
  'data: [DONE]\n\n',
]

describe('braidwork record', function () {
  this.timeout(60_000)
  let made: CommandFolder
  let server: ReplayServer
  eachCommandFolder((given) => {
    made = given
  })
  before(async () => {
    server = await new ReplayServer().start()
  })
  after(() => server.close())
  beforeEach(() => {
    server.requests.length = 0
    server.reply = () => ({
      headers: { 'content-type': 'text/event-stream' },
      pieces: PIECES,
      delay: 20,
    })
  })

  /** A question to the model API on loopback. */
  const chat = (...words: string[]) => {
    const settings = { base_url: server.url, api_key: 'sesame-0123', max_retries: '0' }
    const keys = {
      plugins: JSON.stringify([join(ROOT, 'providers', 'openai-compatible')]),
      ...Object.fromEntries(
        Object.entries(settings).map(([key, value]) => [
          `settings.openai-compatible.${key}`,
          value,
        ]),
      ),
    }
    const set = Object.entries(keys).flatMap(([key, value]) => ['--set', `${key}=${value}`])
    return ['--', 'chat', '--provider', 'openai-compatible', '--model', 'm', ...set, ...words]
  }

  it('runs the command as it is, and writes its exchanges without the key', async () => {
    const { status, out, err } = await made.run(['record', ...chat('Is my key sesame-0123?')])
    expect([status, out.trim()]).to.deep.equal([0, 'It is hot.'])
    expect(err).to.include('Recorded 1 exchange in recording.json.').and.not.include('cut')
    const path = join(made.folder, 'recording.json')
    const [exchange] = await readExchanges(path)
    expect(exchange?.response.body).to.deep.equal(PIECES)
    expect(await readFile(path, 'utf8')).not.to.include('sesame')
  })

  it('replaces a file only with --force, and asks nobody before', async () => {
    await writeFile(join(made.folder, 'x.json'), 'old')
    const refused = await made.run(['record', '--out', 'x.json', ...chat('Hello')])
    expect(refused.status).to.equal(2)
    expect(refused.err).to.include('"x.json" is there already').and.to.include('--force')
    expect(server.requests).to.deep.equal([])
    const replaced = await made.run(['record', '--out', 'x.json', '--force', ...chat('Hello')])
    expect(replaced.status).to.equal(0)
    expect(await readExchanges(join(made.folder, 'x.json'))).to.have.length(1)
  })

  it('records an exchange that fails too, and ends as the command does', async () => {
    server.reply = () => ({ status: 400, pieces: ['{"error":{"message":"no"}}'] })
    const { status } = await made.run(['record', ...chat('Hello')])
    expect(status).to.equal(1)
    const [exchange] = await readExchanges(join(made.folder, 'recording.json'))
    expect(exchange?.response).to.deep.include({
      status: 400,
      body: ['{"error":{"message":"no"}}'],
    })
  })

  it('says that a body is cut whose connection was lost', async () => {
    server.reply = () => ({
      headers: { 'content-type': 'text/event-stream' },
      pieces: PIECES.slice(0, 1),
      delay: 20,
      ending: 'lost',
    })
    const { err } = await made.run(['record', ...chat('Hello')])
    expect(err).to.include('The answer of 1 of them is cut ("is_cut")')
  })

  it('says that nothing was recorded, and writes no file', async () => {
    const { status, err } = await made.run(['record', '--', 'chat', '--provider', 'scripted', 'Hi'])
    expect(status).to.equal(1)
    expect(err).to.include('Nothing was recorded')
    const text = await readFile(join(made.folder, 'recording.json'), 'utf8').catch(() => undefined)
    expect(text).to.equal(undefined)
  })

  it('needs a command', async () => {
    const { status, err } = await made.run(['record'])
    expect(status).to.equal(2)
    expect(err).to.include("missing required argument 'command'")
  })
})
