import { expect } from 'chai'
import {
  bindHook,
  hasHook,
  isPromise,
  readAnswerChunks,
  readValue,
} from '../../../src/core/hooks/call-hook.ts'
import { Progress } from '../../../src/core/hooks/chunk-reader.ts'
import { DEFAULT_LIMITS } from '../../../src/plugin/config.ts'
import { HostError } from '../../../src/plugin/errors.ts'
import type { HookName } from '../../../src/plugin/hooks.ts'
import type { AnyPlugin } from '../../../src/plugin/plugin.ts'
import { errorOf, extension, feature, provider } from '../../helpers/plugins.ts'

const never = () => new Promise(() => undefined)

function bind<H extends HookName>(plugin: AnyPlugin, hook: H, more: object = {}) {
  const bound = bindHook({ plugin, phase: 'prepare', limits: DEFAULT_LIMITS, ...more }, hook)
  if (!bound) throw new Error(`no ${hook}`)
  return bound
}

describe('bindHook', () => {
  it('gives nothing where the plugin lacks the hook', () => {
    const frame = { plugin: extension('e'), phase: 'prepare', limits: DEFAULT_LIMITS } as const
    expect(bindHook(frame, 'init')).to.equal(undefined)
    expect(hasHook(frame.plugin, 'init')).to.equal(false)
  })

  it('answers at once where the hook does, and with a promise where the hook does', async () => {
    const sync = bind(feature('f', { init: () => ({ a: 1 }) }), 'init')
    expect(sync({}, {})).to.deep.equal({ a: 1 })
    const promised = bind(feature('f', { init: async () => ({ a: 1 }) }), 'init')
    expect(promised({}, {})).to.be.an.instanceOf(Promise)
    expect(await promised({}, {})).to.deep.equal({ a: 1 })
  })

  it('hands the context on as the last argument, and the plugin as this', () => {
    class Greeter {
      readonly kind = 'feature'
      readonly name = 'greeter'
      readonly greeting = 'hi'
      init(...args: unknown[]) {
        return { greeting: this.greeting, args }
      }
    }
    const plugin = new Greeter() as unknown as AnyPlugin
    const context = { phase: 'prepare' }
    expect(bind(plugin, 'init', { context })('config', 'state')).to.deep.equal({
      greeting: 'hi',
      args: ['config', 'state', context],
    })
  })

  it('names plugin, hook and phase of what a hook throws', async () => {
    const boom = () => {
      throw new TypeError('x is not a function')
    }
    for (const init of [boom, async () => boom()]) {
      const error = await errorOf(async () => bind(extension('e', { init }), 'init')({}, {}))
      expect(error).to.include({
        code: 'HOOK_FAILED',
        plugin: 'e',
        hook: 'init',
        phase: 'prepare',
        message: 'Hook "init" of extension "e" failed: x is not a function',
      })
      expect(error.cause).to.be.an.instanceOf(TypeError)
    }
  })

  it('lets an error with a code of its own speak for itself', async () => {
    const call = () => {
      throw Object.assign(new Error('wait a moment'), { code: 'RATE_LIMITED', retryAfter: 2 })
    }
    const error = await errorOf(() => bind(provider('p', { call }), 'call')([], {}))
    expect(error).to.include({ code: 'RATE_LIMITED', message: 'wait a moment', retryAfter: 2 })
    expect(error).to.include({ plugin: 'p', hook: 'call', provider: 'p' })
  })

  it('names the outer of two hooks, one inside the other, and keeps the inner as the cause', async () => {
    const inner = bind(extension('inner', { init: () => 7 }), 'init')
    const outer = bind(extension('outer', { init: () => inner({}, {}) }), 'init')
    const error = await errorOf(() => outer({}, {}))
    expect(error).to.include({ code: 'HOOK_ANSWER_INVALID', plugin: 'outer' })
    expect(error.cause).to.include({ code: 'HOOK_ANSWER_INVALID', plugin: 'inner' })
  })

  it('refuses an answer of the wrong shape, now or later', async () => {
    for (const init of [() => 'no object', async () => 'no object']) {
      const error = await errorOf(async () => bind(extension('e', { init }), 'init')({}, {}))
      expect(error).to.include({ code: 'HOOK_ANSWER_INVALID', plugin: 'e', hook: 'init' })
      expect(error.message).to.equal(
        'Hook "init" of extension "e" failed: it answered a string, but the answer must be an object',
      )
    }
  })

  it('waits for a promise no longer than the limit of that hook', async () => {
    const limits = { ...DEFAULT_LIMITS, process_chunk: 0.005 }
    const bound = bind(extension('e', { processChunk: never }), 'processChunk', { limits })
    const error = await errorOf(async () => bound())
    expect(error).to.include({ code: 'TIMEOUT', plugin: 'e', hook: 'processChunk' })
    expect(error.message).to.equal(
      'Hook "processChunk" of extension "e" failed: it did not answer within 0.005 s (limits.process_chunk)',
    )
  })

  it('stops waiting as soon as the request is cancelled', async () => {
    const controller = new AbortController()
    const bound = bind(extension('e', { init: never }), 'init', { signal: controller.signal })
    const waiting = bound({}, {})
    controller.abort()
    const error = await errorOf(async () => waiting)
    expect(error).to.include({ code: 'ABORTED', plugin: 'e', hook: 'init' })
  })
})

describe('bindHook with what throws when it is read', () => {
  const thrower = (name: string) => ({
    enumerable: true,
    get: () => {
      throw new Error(`no ${name}`)
    },
  })

  it('names the plugin of an answer whose `then` throws', async () => {
    const answer = Object.defineProperty({}, 'then', thrower('then'))
    const error = await errorOf(() => bind(feature('f', { init: () => answer }), 'init')({}, {}))
    expect(error).to.include({ code: 'HOOK_FAILED', plugin: 'f', hook: 'init' })
  })

  it('names the plugin of a member that throws', async () => {
    const plugin = Object.defineProperty({ ...feature('f') }, 'getTags', thrower('tags'))
    for (const read of [() => hasHook(plugin, 'getTags'), () => readValue(plugin, 'getTags')]) {
      const error = await errorOf(read)
      expect(error).to.include({ code: 'HOOK_FAILED', plugin: 'f', hook: 'getTags' })
    }
  })
})

describe('readAnswerChunks', () => {
  it('names provider and hook of what a stream throws in its middle', async () => {
    async function* failing() {
      yield 1
      throw new Error('socket closed')
    }
    const plugin = provider('p')
    const frame = { plugin, phase: 'partials', limits: DEFAULT_LIMITS } as const
    const seen: unknown[] = []
    const take = (chunk: unknown): undefined => void seen.push(chunk)
    const progress = new Progress(frame.limits, plugin.name)
    const error = await errorOf(readAnswerChunks(frame, failing(), { take, progress }))
    expect(seen).to.deep.equal([1])
    expect(error).to.include({
      code: 'HOOK_FAILED',
      plugin: 'p',
      hook: 'stream',
      phase: 'partials',
    })
    expect(error.message).to.equal('Hook "stream" of provider "p" failed: socket closed')
  })
})

describe('readValue', () => {
  it('gives a value, what a function gives, or nothing', () => {
    expect(readValue(feature('f', { requires: ['a'] }), 'requiredTags')).to.deep.equal(['a'])
    expect(readValue(feature('f', { requiredTags: () => ['b'] }), 'requiredTags')).to.deep.equal([
      'b',
    ])
    expect(readValue(feature('f'), 'requiredTags')).to.equal(undefined)
  })

  it('names the plugin of a function that throws', async () => {
    const broken = feature('f', {
      requiredTags: () => {
        throw new Error('no')
      },
    })
    const error = await errorOf(() => readValue(broken, 'requiredTags'))
    expect(HostError.is(error)).to.equal(true)
    expect(error).to.include({ plugin: 'f', hook: 'requiredTags', phase: 'resolve' })
  })
})

describe('isPromise', () => {
  it('knows whatever has a then', () => {
    for (const value of [Promise.resolve(), { then: () => 1 }])
      expect(isPromise(value)).to.equal(true)
    for (const value of [null, undefined, 1, {}, { then: 1 }])
      expect(isPromise(value)).to.equal(false)
  })
})
