import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** The tool of the plugin `ask-user`. */
const isQuestion = ({ name }) => name === 'ask_user'

/**
 * Keeps what a person answered to the questions of a run, and writes it into a file when the run ends.
 *
 * @satisfies {import('braidwork/plugin').Feature}
 */
export default {
  kind: 'feature',
  name: 'interview',
  configSchema: {
    type: 'object',
    properties: {
      folder: {
        type: 'string',
        minLength: 1,
        title: 'Folder',
        description: 'The folder of the records, relative to the working directory',
      },
    },
    required: ['folder'],
    additionalProperties: false,
  },
  // The state of a run is stored with it, so that it is there when the person answers a day later.
  stateKeys: { interview: { merge: 'append', initial: [] } },
  effects: ['write_record'],
  afterToolExecute: ({ calls = [], results = [] }) => {
    const interview = calls.filter(isQuestion).map((call) => entryOf(call, results))
    return interview.length === 0 ? undefined : { state: { interview } }
  },
  runEnd: ({ state, termination }) =>
    state.interview.length === 0
      ? undefined
      : { effects: [{ key: 'write_record', input: { ended: termination.reason } }] },
  handleEffect: async (_key, { ended }, { agent, state }, { config, runId, signal }) => {
    const folder = resolve(config.settings.interview.folder)
    const record = { agent, ended, interview: state.interview }
    await mkdir(folder, { recursive: true })
    const text = `${JSON.stringify(record, null, 2)}\n`
    // A program may choose the id of its run. An earlier record is never replaced.
    const name = `${runId.replaceAll(/[^\w-]/g, '_')}.json`
    await writeFile(join(folder, name), text, { flag: 'wx', mode: 0o600, signal })
  },
}

/** A question without an answer was declined, came too late, or could not be asked. */
function entryOf({ callId, input }, results) {
  const result = results.find((one) => one.callId === callId)
  const { question } = Object(input)
  return result && !result.isError
    ? { question, answer: result.output.answer }
    : { question, unanswered: String(result?.output ?? 'There was no answer.') }
}
