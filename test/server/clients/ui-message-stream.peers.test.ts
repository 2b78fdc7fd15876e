import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { SDK_VERSIONS, type SdkVersion } from '../../../src/server/wire/ui-message-stream/index.ts'
import { shareOfCommit } from '../../helpers/cases.ts'
import {
  askClients,
  type ClientAnswer,
  type ClientMessage,
  needsClients,
} from '../wire/ui-message-stream/chat-clients.ts'
import { INSTALLED_WITHIN, PackedServer } from './packed-server.ts'
import { COUNTED, SERVED } from './scripts.ts'

const LOCATE = {
  locate: {
    description: 'Where a city is',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
}
const COMPLETE = 'lastAssistantMessageIsCompleteWithToolCalls'
const APPROVED = 'lastAssistantMessageIsCompleteWithApprovalResponses'

const say = (text: string) => ({ send: { text } })
/** The characters after which an answer is held until its gate opens. */
const HELD_AFTER = 12
const count = { begin: { text: 'count' }, until: HELD_AFTER }
/** Resumes an answer that is held, and then lets it go on. */
const resumeHeld = { resume: true, opens: true }
const CALCULATED = 'dynamic-tool output-available'
const LOCATED = 'tool-locate output-available'
const IT_IS = 'It is {"expression":"6 * 7","result":"42","exact":true}.'
const ROME = 'Rome is at 41.9, 12.5.'

/** A tool that asks in the middle of its call. */
const SURVEY = fileURLToPath(new URL('fixtures/survey.mjs', import.meta.url))
/** An extension that holds an answer until a file is there. */
const GATE = fileURLToPath(new URL('fixtures/gate.mjs', import.meta.url))

/**
 * A server one of whose models asks the user, and one whose tool does. The answers of another one are held.
 * @param folder for the files that let an answer go on
 */
const servedWith = (folder: string) => ({
  ...SERVED,
  plugins: [...SERVED.plugins, '@braidwork/tool-ask-user', SURVEY, GATE],
  server: {
    models: {
      ...SERVED.server.models,
      surveying: {
        config: {
          settings: {
            scripted: {
              script: [
                { when: { tool: 'survey' }, then: { text: 'You said {{result.survey}}.' } },
                { then: { text: 'Well.', tool_calls: [{ name: 'survey', input: {} }] } },
              ],
            },
          },
        },
      },
      asking: {
        config: {
          enabled_plugins: ['ask-user'],
          settings: {
            scripted: {
              script: [
                { when: { tool: 'ask_user' }, then: { text: 'You said {{result.ask_user}}.' } },
                {
                  then: {
                    text: 'Well.',
                    tool_calls: [
                      {
                        name: 'ask_user',
                        input: { question: 'Which color?', options: ['red', 'blue'] },
                      },
                    ],
                  },
                },
              ],
            },
          },
        },
      },
      held: {
        config: {
          enabled_plugins: ['gate'],
          settings: { gate: { folder, after: HELD_AFTER } },
          limits: { process_chunk: INSTALLED_WITHIN / 1000 },
        },
      },
    },
  },
})
const output = { output: { tool: 'locate', output: '41.9, 12.5' } }

interface Scenario {
  readonly model: string
  readonly steps: readonly object[]
  readonly tools?: object
  readonly again?: string
  readonly comesTo: readonly (string | RegExp)[]
  readonly error?: RegExp
}

/** Each answer is sent by itself: what was said before is not said again. */
const ONE_AFTER_THE_OTHER: Scenario = {
  model: 'careful',
  steps: [
    say('twice'),
    { approve: { approved: true } },
    { resend: true },
    { approve: { approved: true } },
  ],
  again: APPROVED,
  comesTo: ['step-start', 'Both?', CALCULATED, CALCULATED, 'step-start', /^It is .*"2"/],
}

/** What each chat does, by its name, and what its last message comes to. */
function scenarios(version: SdkVersion): { readonly [name: string]: Scenario } {
  const denied = version === 5 ? 'output-error' : 'output-denied'
  const asked = version === 5 ? ['data-approval'] : []
  return {
    'streams reasoning, text and calls': {
      model: 'quick',
      steps: [say('hello'), say('calculate')],
      comesTo: ['step-start', 'I call it.', CALCULATED, 'step-start', IT_IS],
    },
    'stops in the middle': {
      model: 'held',
      steps: [count, { halt: true }],
      comesTo: ['step-start', 'number 1, number 2'.slice(0, HELD_AFTER)],
    },
    'resumes in the middle': {
      model: 'held',
      steps: [count, { stop: true }, { reload: true }, resumeHeld],
      comesTo: ['step-start', COUNTED],
    },
    'answers anew': {
      model: 'quick',
      steps: [say('hello'), say('calculate'), { regenerate: {} }],
      comesTo: ['step-start', 'I call it.', CALCULATED, 'step-start', IT_IS],
    },
    'edits an earlier message': {
      model: 'quick',
      steps: [say('hello'), say('calculate'), { send: { text: 'bye', messageId: 'id-1' } }],
      comesTo: ['step-start', 'A greeting.', 'You said: bye'],
    },
    'answers calls of its own': {
      model: 'quick',
      steps: [say('locate'), output],
      tools: LOCATE,
      again: COMPLETE,
      comesTo: ['step-start', 'I call it.', LOCATED, 'step-start', ROME],
    },
    'answers calls beside those of the server': {
      model: 'quick',
      steps: [say('both'), output],
      tools: LOCATE,
      again: COMPLETE,
      comesTo: ['step-start', 'Two things.', CALCULATED, LOCATED, 'step-start', ROME],
    },
    'answers a question of the model': {
      model: 'asking',
      steps: [say('paint'), { output: { tool: 'ask_user', output: 'blue' } }],
      again: COMPLETE,
      comesTo: ['step-start', 'Well.', CALCULATED, 'step-start', 'You said {"answer":"blue"}.'],
    },
    'declines a question of the model': {
      model: 'asking',
      steps: [
        say('paint'),
        { output: { tool: 'ask_user', state: 'output-error', errorText: 'No.' } },
      ],
      again: COMPLETE,
      comesTo: ['step-start', 'Well.', 'dynamic-tool output-error', 'step-start', /No\./],
    },
    'answers questions in the middle of a call': {
      model: 'surveying',
      steps: [
        say('paint'),
        { output: { tool: 'survey', output: 'blue' } },
        { output: { tool: 'survey', output: 3 } },
      ],
      again: COMPLETE,
      comesTo: [
        'step-start',
        'Well.',
        CALCULATED,
        'data-question Which color?',
        'data-question How many?',
        'step-start',
        'You said blue and 3.',
      ],
    },
    'sees a question in the middle of a call, and declines it': {
      model: 'surveying',
      steps: [
        say('paint'),
        { output: { tool: 'survey', state: 'output-error', errorText: 'No.' } },
      ],
      again: COMPLETE,
      comesTo: [
        'step-start',
        'Well.',
        'dynamic-tool input-available',
        'data-question Which color?',
        'data-question How many?',
      ],
    },
    'resumes an answer that goes on with a result': {
      model: 'held',
      steps: [
        say('locate slowly'),
        { begin: output, until: HELD_AFTER },
        { stop: true },
        { reload: true },
        resumeHeld,
      ],
      tools: LOCATE,
      again: COMPLETE,
      comesTo: ['step-start', 'I call it.', LOCATED, 'step-start', ROME],
    },
    'approves a call': {
      model: 'careful',
      ...approving(version, true),
      comesTo: ['step-start', 'I call it.', CALCULATED, ...asked, 'step-start', IT_IS],
    },
    'denies a call': {
      model: 'careful',
      ...approving(version, false),
      comesTo: [
        'step-start',
        'I call it.',
        `dynamic-tool ${denied}`,
        ...asked,
        'step-start',
        'It is The call was not approved..',
      ],
    },
    ...(version === 5 ? {} : { 'approves one call after the other': ONE_AFTER_THE_OTHER }),
    'is told of an error before anything was said': {
      model: 'quick',
      steps: [say('overload')],
      comesTo: ['overload'],
      error: /"code":"OVERLOADED"/,
    },
    'is told of an error in the middle': {
      model: 'quick',
      steps: [say('break')],
      comesTo: ['step-start', 'number 1, number 2'],
      error: /STREAM_INTERRUPTED/,
    },
    'is told which models there are': {
      model: 'unheard-of',
      steps: [say('hello')],
      comesTo: ['hello'],
      error: /it publishes quick, slow, careful, surveying, asking/,
    },
  }
}

/** Of these, the ones that are tried: each in one version of the client, in another one for another commit. */
function triedIn(version: SdkVersion): readonly (readonly [name: string, Scenario])[] {
  const at = SDK_VERSIONS.indexOf(version)
  const names = shareOfCommit(Object.keys(scenarios(7)), SDK_VERSIONS.length, at)
  return Object.entries(scenarios(version)).filter(([name]) => names.includes(name))
}

/** In the message itself where the version has a word for it, else by the server's address. */
function approving(version: SdkVersion, approved: boolean): Pick<Scenario, 'steps' | 'again'> {
  return version === 5
    ? { steps: [say('calculate'), { answer: { approved } }, { resume: true }] }
    : { steps: [say('calculate'), { approve: { approved } }], again: APPROVED }
}

describe('chats of the AI SDK with a server', function () {
  this.timeout(INSTALLED_WITHIN)
  let folder: string
  let server: PackedServer
  let answers: ReadonlyMap<string, ClientAnswer>

  before(async function () {
    needsClients(this)
    folder = mkdtempSync(join(tmpdir(), 'braidwork-gates-'))
    server = await PackedServer.start(servedWith(folder))
    const jobs = SDK_VERSIONS.flatMap((version) =>
      triedIn(version).map(([name, { model, tools, steps, again }]) => {
        const id = `${name.replaceAll(' ', '-')}-${version}`
        return {
          kind: 'chat' as const,
          name: `${name} ${version}`,
          version,
          id,
          url: `${server.url}/api/chat`,
          headers: { 'x-braidwork-sdk': String(version) },
          body: { agent: model, ...(tools ? { tools } : {}) },
          history: `${server.url}/api/conversations/${id}?sdk=${version}`,
          steps: steps.map((step) =>
            'opens' in step ? { ...step, gate: join(folder, id) } : step,
          ),
          again,
        }
      }),
    )
    answers = await askClients(jobs)
  })
  after(async () => {
    if (server) expect(await server.stop()).to.equal(0)
    if (folder) rmSync(folder, { recursive: true })
  })

  for (const version of SDK_VERSIONS) {
    for (const [name, { comesTo, error = /^$/ }] of triedIn(version)) {
      it(`${version} ${name}`, () => {
        const answer = answers.get(`${name} ${version}`) ?? expect.fail('it was not done')
        const { thrown, faults, messages = [] } = answer
        expect({ thrown, faults }).to.deep.equal({ thrown: undefined, faults: [] })
        const parts = messages.at(-1)?.parts.map(shown) ?? []
        const fitting = parts.map((part, at) => (fits(part, comesTo[at]) ? comesTo[at] : part))
        expect(fitting).to.deep.equal(comesTo)
        expect(answer.error ?? '').to.match(error)
      })
    }

    it(`${version} finds in a conversation what it made of the streams`, () => {
      for (const [name] of triedIn(version)) {
        const { messages = [], history } = answers.get(`${name} ${version}`)!
        // What was read when it was stopped is less than what was said.
        if (name === 'stops in the middle' || !history?.messages) continue
        expect(plain(history.messages), name).to.deep.equal(plain(messages))
      }
    })
  }
})

function shown({ type, text, state, data }: ClientMessage['parts'][number]): string {
  if (typeof text === 'string') return text
  if (type === 'data-question') return `${type} ${String(Object(data).question)}`
  return typeof state === 'string' ? `${type} ${state}` : type
}

function fits(part: string, expected: string | RegExp | undefined): boolean {
  return expected instanceof RegExp ? expected.test(part) : expected === part
}

/** As JSON, without what is not told. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown
}
