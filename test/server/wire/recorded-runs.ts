import anthropic from '../../../providers/anthropic/index.ts'
import openai from '../../../providers/openai/index.ts'
import openaiCompatible from '../../../providers/openai-compatible/index.ts'
import { replyOf } from '../../../scripts/replay/recording.ts'
import { ReplayServer } from '../../../scripts/replay/replay-server.ts'
import { configFor } from '../../../scripts/replay/replayer.ts'
import { type RunEvent, type RunResult, run } from '../../../src/agent/index.ts'
import { createHost } from '../../../src/core/index.ts'
import { sampledByCommit } from '../../helpers/cases.ts'
import { collect } from '../../helpers/hosts.ts'
import { subjects } from '../../hostile/answers.ts'

/** A recorded answer as a run of one step tells it. */
export interface RecordedRun {
  readonly name: string
  readonly events: readonly RunEvent[]
  readonly result: RunResult
}

/** Recorded answers, a quarter of them for each commit, each through its provider and a run; its calls are of no tool that there is. */
export async function recordedRuns(): Promise<readonly RecordedRun[]> {
  const server = await new ReplayServer().start()
  const host = await createHost({ plugins: [anthropic, openai, openaiCompatible] })
  const runs: RecordedRun[] = []
  for (const { place, recording } of sampledByCommit(subjects('stream'), 4)) {
    server.reply = () => replyOf(recording)
    const config = configFor(place, server.url)
    const stream = run(host, { config, messages: 'Hello', maxSteps: 1 })
    const events = await collect(stream)
    runs.push({ name: recording.name, events, result: await stream.result })
  }
  await host.close()
  await server.close()
  return runs
}
