import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createAiSdk } from '../../providers/ai-sdk/index.ts'
import { createAnthropic } from '../../providers/anthropic/index.ts'
import { createOpenAI } from '../../providers/openai/index.ts'
import { createOpenAICompatible } from '../../providers/openai-compatible/index.ts'
import { KINDS, type Kind } from '../../src/plugin/kinds.ts'
import { findPython } from '../../src/python/venvs/find-python.ts'
import { pluginPythonOf } from '../../src/python/venvs/venvs.ts'
import { checkPlugin, type SuiteOptions, suiteOf } from '../../src/testing/index.ts'
import { textPart } from '../helpers/both-ways.ts'
import { sampled } from '../helpers/cases.ts'
import { eventProvider } from '../helpers/plugins.ts'
import { ShippedForms } from '../helpers/shipped-form.ts'
import { ROOT } from '../helpers/source-files.ts'
import { FakeModels } from '../providers/ai-sdk/models.ts'
import { rawServer } from '../tools/mcp/servers.ts'

const sse = (events: readonly object[], end = ''): string =>
  events
    .map(
      (event) =>
        `${'type' in event ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
    )
    .join('') + end

const CHAT = { id: 'c', object: 'chat.completion', model: 'm' }
const USED = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }
const chatChunk = (delta: object, finish_reason: string | null = null) => ({
  ...CHAT,
  choices: [{ index: 0, delta, finish_reason }],
})
const MESSAGE = { id: 'm', type: 'message', role: 'assistant', model: 'm', stop_sequence: null }
const TOKENS = { input_tokens: 1, output_tokens: 2 }

/** Two answers of each API that say the same, whole and as a stream. */
const ANSWERS = {
  chat: {
    whole: {
      ...CHAT,
      choices: [
        { index: 0, message: { role: 'assistant', content: 'Hi!' }, finish_reason: 'stop' },
      ],
      usage: USED,
    },
    streamed: sse(
      [
        chatChunk({ role: 'assistant', content: 'H' }),
        chatChunk({ content: 'i!' }),
        { ...chatChunk({}, 'stop'), usage: USED },
      ],
      'data: [DONE]\n\n',
    ),
  },
  messages: {
    whole: {
      ...MESSAGE,
      content: [{ type: 'text', text: 'Hi!' }],
      stop_reason: 'end_turn',
      usage: TOKENS,
    },
    streamed: sse([
      {
        type: 'message_start',
        message: { ...MESSAGE, content: [], stop_reason: null, usage: TOKENS },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi!' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: TOKENS,
      },
      { type: 'message_stop' },
    ]),
  },
} as const

function answering(api: keyof typeof ANSWERS): typeof fetch {
  const { whole, streamed } = ANSWERS[api]
  return async (_input, init) => {
    const isStream = String(init?.body).includes('"stream":true')
    const type = isStream ? 'text/event-stream' : 'application/json'
    const body = isStream ? streamed : JSON.stringify(whole)
    return new Response(body, { headers: { 'content-type': type } })
  }
}

const SMOLLM = join(ROOT, 'providers', 'smollm')

/** Whether the venv of a plugin is there; says so where it is not. */
async function isMade(folder: string): Promise<boolean> {
  return pluginPythonOf(folder, await findPython()).then(
    () => true,
    (error: unknown) => {
      process.stderr.write(`The checks of "${folder}" are skipped: ${String(error)}\n`)
      return false
    },
  )
}

/** An API that gives an answer on loopback, for a provider with these settings. */
function recorded(api: keyof typeof ANSWERS, plugin: string, settings: object, path = '/v1') {
  return {
    ...ANSWERS[api],
    config: (url: string) => ({ settings: { [plugin]: { ...settings, base_url: url + path } } }),
  }
}

const KEY = { api_key: 'sk-test-0123456789' }

/** What plugins need beside themselves, in a folder of documents; all others need nothing. */
const needsIn = (
  root: string,
): { readonly [plugin: string]: SuiteOptions & { readonly as?: unknown } } => ({
  'ai-sdk': { as: createAiSdk({ provider: new FakeModels() }), config: { model: 'm' } },
  openai: {
    as: createOpenAI({ fetch: answering('chat') }),
    config: { settings: { openai: { ...KEY, api: 'chat' } } },
    api: recorded('chat', 'openai', { ...KEY, api: 'chat' }),
  },
  anthropic: {
    as: createAnthropic({ fetch: answering('messages') }),
    config: { settings: { anthropic: KEY } },
    api: recorded('messages', 'anthropic', KEY, ''),
  },
  'openai-compatible': {
    as: createOpenAICompatible({ fetch: answering('chat') }),
    config: {
      model: 'm',
      settings: { 'openai-compatible': { ...KEY, base_url: 'https://example.org/v1' } },
    },
    api: recorded('chat', 'openai-compatible', KEY),
  },
  scripted: { config: { settings: { scripted: { delay_ms: 0 } } } },
  // The folder itself: the model is one of the packages that it names.
  smollm: { as: SMOLLM, config: { temperature: 0, seed: 1, max_output_tokens: 16 } },
  'prompt-cache': { tags: ['prompt-caching', 'messages'], messages: 'Hello' },
  instructions: { config: { settings: { instructions: { text: 'Be brief.' } } } },
  'structured-output': {
    config: { response_format: { type: 'json' } },
    beside: [eventProvider(textPart(['{"hot":', ' true}']))],
  },
  'word-filter': { config: { settings: { 'word-filter': { words: ['tea'] } } } },
  redact: { messages: 'I am ada@example.org.' },
  'doc-context': {
    config: { settings: { 'doc-context': { folder: root } } },
    messages: 'Is tea hot?',
  },
  calculator: { calls: [{ name: 'calculate', input: { expression: '6 * 7' } }] },
  clock: { calls: [{ name: 'current_time', input: {} }] },
  'python-eval': { calls: [{ name: 'python_eval', input: { expression: '6 * 7' } }] },
  files: {
    config: { settings: { files: { root } } },
    calls: [
      { name: 'list_files', input: {} },
      { name: 'read_file', input: { path: 'tea.md' } },
    ],
  },
  mcp: {
    config: { settings: { mcp: { servers: { raw: rawServer() } } } },
    calls: [{ name: 'raw__echo', input: {} }],
  },
  'search-docs': {
    config: { settings: { 'search-docs': { root } } },
    calls: [{ name: 'search_docs', input: { query: 'tea' } }],
  },
})

async function faultsOf(
  plugin: string,
  given: unknown,
  { as = given, ...options }: ReturnType<typeof needsIn>[string] = {},
): Promise<readonly string[]> {
  if (plugin === 'smollm' && !(await isMade(SMOLLM))) return []
  const checks = await checkPlugin(as, options)
  return checks.flatMap(({ name, fault }) =>
    fault === undefined ? [] : `${plugin} ${name}: ${fault}`,
  )
}

/** The faults that the suite of its kind finds in a plugin. */
async function suiteFaults(
  { kind, name, given }: ShippedForms['plugins'][number],
  needs: ReturnType<typeof needsIn>[string] = {},
): Promise<readonly string[]> {
  // Providers of an API are used as they are: the API is on loopback.
  const plugin = needs.api ? given : (needs.as ?? given)
  const suite = suiteOf(kind, plugin, needs)
  const faults: string[] = []
  for (const { name: check, run } of suite.checks)
    await run().catch((error: Error) => faults.push(`${name} ${check}: ${error.message}`))
  await suite.close()
  return faults
}

/** A sample of plugins that has at least one of each kind. */
function sampleOf(plugins: ShippedForms['plugins'], share: number, start: number) {
  const ofKind = (kind: Kind) => plugins.filter((plugin) => plugin.kind === kind)
  return KINDS.flatMap((kind) => sampled(ofKind(kind), share, start))
}

/** Runs the checks of `braidwork/testing` on some of the shipped plugins. */
export function describeShipped(title: string, isChecked: (name: string) => boolean): void {
  describe(title, function () {
    this.timeout(120_000)
    let shipped: ShippedForms
    let folder: string
    before(async function () {
      shipped = await ShippedForms.make(this)
      folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
      await writeFile(join(folder, 'tea.md'), '# Tea\nIt is hot.\n')
    })
    after(async () => {
      await shipped?.remove()
      if (folder) await rm(folder, { recursive: true })
    })

    // The model of smollm would answer hundreds of requests, and nobody sees what its interpreter makes of them.
    if (!isChecked('smollm'))
      it('passes the suite of its kind', async () => {
        const needs = needsIn(folder)
        const checked = shipped.plugins.filter(({ name }) => isChecked(name))
        const faults: string[] = []
        for (const one of sampleOf(checked, 5, 2))
          faults.push(...(await suiteFaults(one, needs[one.name])))
        expect(faults).to.deep.equal([])
      })

    it('passes the list of checks', async () => {
      const needs = needsIn(folder)
      const checked = shipped.plugins.filter(({ name }) => isChecked(name))
      const faults: string[] = []
      for (const { name, given } of sampleOf(checked, 9, 3))
        faults.push(...(await faultsOf(name, given, needs[name])))
      expect(faults).to.deep.equal([])
    })
  })
}
