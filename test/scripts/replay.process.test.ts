import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { recordingsBelow } from '../../scripts/replay/recording.ts'
import type { ShownAnswer } from '../../scripts/replay/shown.ts'
import { bundledProgram } from '../helpers/bundled-program.ts'
import { hasShared, SHARED, SHARED_IS_MISSING } from '../helpers/recordings.ts'
import { ROOT } from '../helpers/source-files.ts'

const OWN = fileURLToPath(new URL('./fixtures/replay/', import.meta.url))

interface Line {
  readonly file: string
  readonly answers: readonly ShownAnswer[]
}

interface Ran {
  readonly lines: readonly Line[]
  readonly status: number | null
  readonly complaint: string
}

/** Runs the command as a person would. */
function replay(...folders: readonly string[]): Promise<Ran> {
  return run('npm', ['run', '--silent', 'replay', '--', ...folders])
}

/** Runs the program of the command, without npm. */
async function replayProgram(...folders: readonly string[]): Promise<Ran> {
  const program = await bundledProgram(join(ROOT, 'scripts', 'replay.ts'))
  return run(process.execPath, [program, ...folders])
}

async function run(command: string, args: readonly string[]): Promise<Ran> {
  const child = spawn(command, args, { cwd: ROOT })
  child.stdin.end()
  const status = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [text, complaint] = await Promise.all([read(child.stdout), read(child.stderr)])
  const lines = text.split('\n').slice(0, -1)
  return { lines: lines.map((line) => JSON.parse(line) as Line), status: await status, complaint }
}

async function read(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const piece of stream.setEncoding('utf8')) text += piece as string
  return text
}

describe('the command "replay"', function () {
  this.timeout(60_000)
  let ran: Ran
  before(async () => {
    ran = await replay(OWN)
  })

  const answersOf = (file: string) => ran.lines.find((line) => line.file === file)?.answers ?? []
  const only = (file: string) => {
    const answers = answersOf(file)
    expect(answers).to.have.length(1)
    return answers[0] as ShownAnswer
  }

  it('prints a line a file, sorted by path, and leaves out what is of other APIs', () => {
    expect(ran.lines.map(({ file }) => file)).to.deep.equal([
      'anthropic/refused.json',
      'anthropic/started-again.chunks.txt',
      'anthropic/two-answers.chunks.txt',
      'deepseek/chat/text.json',
      'groq/text.json',
      'hub/responses/two.sse',
      'openai/chat/calls.chunks.txt',
      'openai/chat/calls.json',
      'openai/chat/refused.json',
      'openai/chat/torn.chunks.txt',
      'openai/chat/windows.chunks.txt',
      'openai/responses/empty.chunks.txt',
      'openai/responses/half.json',
      'openai/responses/incomplete.json',
      'openai/responses/two-answers.chunks.txt',
    ])
  })

  it('shows the same of a body and of its stream', () => {
    const sent = only('openai/chat/calls.json')
    expect(only('openai/chat/calls.chunks.txt')).to.deep.equal(sent)
    expect(sent.toolCalls.length).to.be.greaterThan(1)
    expect(sent.error).to.equal(null)
  })

  it('shows all members, and of the usage those that are known', () => {
    expect(only('groq/text.json')).to.deep.equal({
      text: 'hi',
      reasoning: 'so',
      toolCalls: [],
      finishReason: 'stop',
      usage: { input: 4, output: 2 },
      sources: [],
      error: null,
    })
  })

  it('takes Windows line ends, a byte-order mark, blank lines and a [DONE] of the recording', () => {
    expect(only('openai/chat/windows.chunks.txt')).to.include({ text: 'hello', error: null })
  })

  it('serves each answer of a file as a response of its own', () => {
    const two = answersOf('hub/responses/two.sse')
    expect(two.map(({ text }) => text)).to.deep.equal(['one', 'two'])
    expect(two.map(({ sources }) => sources)).to.deep.equal([
      ['https://example.test/1'],
      ['https://example.test/2'],
    ])
    const reasons = answersOf('openai/responses/two-answers.chunks.txt').map(
      ({ finishReason }) => finishReason,
    )
    expect(reasons).to.deep.equal(['content-filter', 'length'])
  })

  it('leaves a start inside an answer to the provider, which refuses it', () => {
    expect(answersOf('anthropic/two-answers.chunks.txt').map(({ text }) => text)).to.deep.equal([
      'first',
      'second',
    ])
    const again = only('anthropic/started-again.chunks.txt')
    expect(again.text).to.equal('lost')
    expect(again.error).to.include({ code: 'PROVIDER_FAILED' })
    expect(only('anthropic/refused.json').error).to.include({ code: 'INVALID_REQUEST' })
  })

  it('shows an error, and what had arrived before it', () => {
    expect(only('openai/chat/refused.json').error).to.include({ code: 'MODEL_UNKNOWN' })
    const torn = only('openai/chat/torn.chunks.txt')
    expect(torn).to.include({ text: 'as far as this', finishReason: 'error' })
    expect(torn.error).to.include({ code: 'PROVIDER_FAILED' })
  })

  it('goes on after a file that cannot be read, and says so at the end', () => {
    for (const file of ['openai/responses/empty.chunks.txt', 'openai/responses/half.json']) {
      expect(only(file).error).to.include({ code: 'RECORDING_UNREADABLE' })
      expect(ran.complaint).to.include(`${file} cannot be read as a recording`)
    }
    expect(ran.status).to.equal(1)
  })

  it('fails where the folder is missing', async () => {
    const [unnamed, gone] = await Promise.all([replayProgram(), replayProgram(`${OWN}nowhere`)])
    expect(unnamed).to.deep.include({ lines: [], status: 1 })
    expect(unnamed.complaint).to.match(/replay -- DIR/)
    expect(gone).to.deep.include({ lines: [], status: 1 })
    expect(gone.complaint).to.match(/nowhere/)
  })

  it('replays the recordings of others, all of them', async function () {
    if (!hasShared) {
      this.test!.title += SHARED_IS_MISSING
      return this.skip()
    }
    const { lines, status, complaint } = await replayProgram(SHARED)
    expect(complaint).to.equal('')
    expect(status).to.equal(0)
    const files = lines.map(({ file }) => file)
    expect(files).to.deep.equal([...files].sort())
    expect(files).to.have.length(96)
    const others = /^openai\/(completion|image|skills|transcription)\/|transcription-text/
    expect(files.filter((file) => others.test(file))).to.deep.equal([])
    const failed = lines.filter(({ answers }) => answers.some(({ error }) => error !== null))
    expect(failed.map(({ file }) => file)).to.deep.equal([
      'anthropic/spliced-message-start.chunks.txt',
      'openai/chat/reasoning-model-legacy-parameter-error.json',
      'openai/responses/parallel-tool-call-wrapper.1.chunks.txt',
    ])
  })
})

describe('the recordings below a folder', () => {
  const files = recordingsBelow(OWN)
  const fileAt = (path: string) => files.find((file) => file.path === path)

  it('go to the provider of their API, with the preset of their folder', () => {
    const places = Object.fromEntries(files.map(({ path, place }) => [path, place]))
    expect(places).to.deep.include({
      'anthropic/refused.json': { provider: 'anthropic', api: 'messages' },
      'deepseek/chat/text.json': { provider: 'openai-compatible', api: 'chat', preset: 'deepseek' },
      'hub/responses/two.sse': { provider: 'openai', api: 'responses' },
      'openai/chat/refused.json': { provider: 'openai', api: 'chat' },
      'openai/responses/incomplete.json': { provider: 'openai', api: 'responses' },
    })
  })

  it('have an answer for each start, but for a start inside an answer', () => {
    expect(fileAt('anthropic/two-answers.chunks.txt')?.answers).to.have.length(2)
    expect(fileAt('anthropic/started-again.chunks.txt')?.answers).to.have.length(1)
  })

  it('are sent as the API sends them', () => {
    const [chat] = fileAt('openai/chat/calls.chunks.txt')?.answers ?? []
    expect(chat?.text).to.match(/^data: \{.*\}\n\ndata: /)
    expect(chat?.text).to.match(/\}\n\ndata: \[DONE\]\n\n$/)
    const [done] = fileAt('openai/chat/windows.chunks.txt')?.answers ?? []
    expect(done?.text.split('data: [DONE]\n\n')).to.have.length(2)
    const [messages] = fileAt('anthropic/two-answers.chunks.txt')?.answers ?? []
    expect(messages?.text).to.match(/^event: message_start\ndata: \{/)
    expect(messages?.text).to.match(/event: message_stop\ndata: .*\n\nevent: ping\ndata: .*\n\n$/)
  })

  it('that have their envelope are sent byte for byte', () => {
    const [one, two] = fileAt('hub/responses/two.sse')?.answers ?? []
    expect(one?.text).to.match(/^: with its envelope\r\n\r\nevent: response\.created\r\ndata: /)
    expect(two?.text).to.match(/^event: response\.created\r\n/)
  })
})
