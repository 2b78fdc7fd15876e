import { expect } from 'chai'
import anthropic from '../../providers/anthropic/index.ts'
import openai from '../../providers/openai/index.ts'
import compatible from '../../providers/openai-compatible/index.ts'
import { accessOf } from '../../providers/openai-compatible/server.ts'
import { ReplayServer } from '../../scripts/replay/replay-server.ts'
import { type ConfigLayer, createHost, type Host } from '../../src/core/index.ts'
import { socketsClosed } from './connections.ts'
import { loom } from './model-api/loom.ts'

describe('the wait for the headers of a model API', function () {
  this.timeout(30_000)
  let server: ReplayServer
  let host: Host
  before(async () => {
    server = await new ReplayServer().start()
    host = await createHost({ plugins: [openai, compatible, anthropic, loom()] })
  })
  after(async () => {
    await host.close()
    await server.close()
  })
  beforeEach(() => {
    server.requests.length = 0
    server.reply = () => ({ pieces: [], headerDelay: 60_000 })
  })

  function configFor(name: string, limits: NonNullable<ConfigLayer['limits']>): ConfigLayer {
    const own = { api_key: 'sk-test-0123456789', base_url: server.url, max_retries: 2 }
    return { provider: name, model: 'm', settings: { [name]: own }, limits }
  }

  for (const name of ['openai', 'openai-compatible', 'anthropic', 'loom']) {
    it(`is not repeated after limits.connect: the server would begin anew (${name})`, async () => {
      const { error } = await host.stream(configFor(name, { connect: 0.3 }), 'Hello').result
      expect(error).to.include({ code: 'TIMEOUT', retryable: true })
      expect(error?.message).to.include('0.3 seconds (limits.connect)')
      expect(server.requests).to.have.length(1)
      await socketsClosed(server)
    })

    it(`is no silence in a stream (${name})`, async () => {
      const limits = { connect: 0.8, stream_idle: 0.2 }
      const { error } = await host.stream(configFor(name, limits), 'Hello').result
      expect(error).to.include({ code: 'TIMEOUT' })
      expect(error?.message).to.include('limits.connect')
      await socketsClosed(server)
    })

    it(`ends when the caller cancels (${name})`, async () => {
      const signal = AbortSignal.timeout(100)
      const limits = { stream_idle: 0.05 }
      const { status } = await host.stream(configFor(name, limits), 'Hello', { signal }).result
      expect(status).to.equal('aborted')
      expect(server.requests.length).to.be.at.most(1)
      await socketsClosed(server)
    })
  }

  for (const name of ['openai', 'openai-compatible', 'anthropic']) {
    it(`is part of limits.call without a stream, in every request (${name})`, async () => {
      const config = configFor(name, { call: 0.2, connect: 20 })
      for (let times = 0; times < 3; times++) {
        const error: unknown = await host.send(config, 'Hello').catch((thrown: unknown) => thrown)
        expect(error).to.include({ code: 'TIMEOUT' })
        expect((error as Error).message).to.include('limits.call')
      }
      await socketsClosed(server)
    })
  }

  it('is longer for servers on the own machine, which may first load the model', () => {
    const waitOf = (preset: string) =>
      accessOf({ settings: { 'openai-compatible': { preset } } }, undefined).profile.connect
    const waits = ['ollama', 'lm-studio', 'vllm', 'llama-cpp', 'groq'].map(waitOf)
    expect(waits).to.deep.equal([300, 300, 300, 300, undefined])
  })
})
