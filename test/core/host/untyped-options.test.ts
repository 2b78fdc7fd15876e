import { inspect } from 'node:util'
import { expect } from 'chai'
import { createHost, type Host, HostError } from '../../../src/core/index.ts'
import { scriptedHost } from '../../helpers/hosts.ts'

type Options = { readonly [name: string]: unknown }

/** A value of another kind for each option of a function, and misspelled names, each with the place. */
const FAULTS: { readonly [of: string]: readonly (readonly [Options, string])[] } = {
  createHost: [
    [{ plugins: 'scripted' }, '/plugins'],
    [{ from: './no-such-folder' }, '/from'],
    [{ from: 'https://a.test/' }, '/from'],
    [{ from: new URL('https://a.test/') }, '/from'],
    [{ from: '' }, '/from'],
    [{ from: 5 }, '/from'],
    [{ log: 5 }, '/log'],
    [{ storage: {} }, '/storage'],
    [{ python: 'python3' }, '/python'],
    [{ python: { executable: 5 } }, '/python/executable'],
    [{ python: { excutable: 'python3' } }, '/python/excutable'],
    [{ protectedFiles: ['a'] }, '/protectedFiles'],
    [{ plugin: [] }, '/plugin'],
  ],
  'host.open': [
    [{ signal: 'x' }, '/signal'],
    [{ tools: {} }, '/tools'],
    [{ conversationId: 5 }, '/conversationId'],
    [{ runId: 5 }, '/runId'],
    [{ results: {} }, '/results'],
    [{ withholds: 'clock' }, '/withholds'],
    [{ active: 'clock' }, '/active'],
    [{ modelInfo: 5 }, '/modelInfo'],
    [{ modelInfo: { contextWindow: '5' } }, '/modelInfo/contextWindow'],
    [{ listener: 5 }, '/listener'],
    [{ listener: { warn: 5 } }, '/listener/warn'],
    [{ listener: { warm: () => undefined } }, '/listener/warm'],
    [{ cancel: 5 }, '/cancel'],
  ],
  'host.stream': [
    [{ signal: 'x' }, '/signal'],
    [{ tools: {} }, '/tools'],
    [{ conversationId: 5 }, '/conversationId'],
  ],
  'host.send': [
    [{ conversationId: 5 }, '/conversationId'],
    [{ conversationID: 'c' }, '/conversationID'],
  ],
  'host.dryRun': [
    [{ tools: {} }, '/tools'],
    [{ conversationId: 5 }, '/conversationId'],
    [{ steps: 'yes' }, '/steps'],
    [{ step: true }, '/step'],
  ],
  'host.runAction': [
    [{ conversationId: 5 }, '/conversationId'],
    [{ conversationID: 'c' }, '/conversationID'],
    [{ signal: 'x' }, '/signal'],
  ],
  'host.embed': [
    [{ dimensions: '5' }, '/dimensions'],
    [{ dimension: 5 }, '/dimension'],
  ],
}

describe('a host in code without types', () => {
  let host: Host
  before(async () => {
    const feature = { kind: 'feature', name: 'own', runAction: () => 'done' }
    host = await scriptedHost([feature])
  })
  after(() => host.close())

  const CALLS: { readonly [of: string]: (options: never) => Promise<unknown> } = {
    createHost: (options) => createHost(options),
    'host.open': (options) => host.open({}, options),
    'host.stream': async (options) => {
      const { error } = await host.stream({}, 'Hi.', options).result
      throw error
    },
    'host.send': (options) => host.send({}, 'Hi.', options),
    'host.dryRun': (options) => host.dryRun({}, 'Hi.', options),
    'host.runAction': (options) => host.runAction('own', 'act', {}, {}, options),
    'host.embed': (options) => host.embed({}, ['Hi.'], options),
  }

  for (const [of, faults] of Object.entries(FAULTS)) {
    for (const [options, pointer] of faults) {
      it(`refuses ${inspect(options)} in ${of}`, async () => {
        const call = CALLS[of] ?? expect.fail(`no call of ${of}`)
        const error = await call(options as never).then(
          () => expect.fail('It was not refused.'),
          (thrown: unknown) => thrown,
        )
        expect(HostError.is(error), String(error)).to.equal(true)
        expect(error).to.include({ code: 'OPTION_INVALID', pointer })
      })
    }
  }
})
