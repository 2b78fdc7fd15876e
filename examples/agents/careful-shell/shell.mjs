import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { runProgram } from './run-program.mjs'

const DEFAULTS = { timeout_seconds: 10, max_output_bytes: 16_384 }

/** The tools, with what each group of programs may do. An agent's policy decides about each of them. */
const GROUPS = {
  inspect: {
    description: 'Runs a program that only reads',
    safety: { is_read_only: true, is_concurrency_safe: true },
  },
  change: { description: 'Runs a program that changes files', safety: {} },
  remove: { description: 'Runs a program that removes files', safety: { is_destructive: true } },
}

const programs = {
  type: 'object',
  description: 'The options that each program may have, by its name',
  additionalProperties: { type: 'array', items: { type: 'string', pattern: '^-' } },
}

/** @satisfies {import('braidwork/plugin').Tool} */
export default {
  kind: 'tool',
  name: 'shell',
  requiredTags: ['tools'],
  configSchema: {
    type: 'object',
    properties: {
      folder: {
        type: 'string',
        minLength: 1,
        title: 'Folder',
        description: 'Where programs run, relative to the working directory',
      },
      inspect: programs,
      change: programs,
      remove: programs,
      timeout_seconds: { type: 'number', exclusiveMinimum: 0, default: DEFAULTS.timeout_seconds },
      max_output_bytes: { type: 'integer', minimum: 1, default: DEFAULTS.max_output_bytes },
    },
    required: ['folder'],
    additionalProperties: false,
  },
  init: ({ settings }) => ({ ...DEFAULTS, ...settings.shell }),
  getToolSchemas: (state) =>
    Object.entries(GROUPS).flatMap(([name, group]) => toolFor(name, group, state[name] ?? {})),
  executeTool: async ({ name, input }, state, { signal }) => {
    const { program, arguments: given = [] } = input
    const folder = await realPathOfFolder(state.folder)
    const options = state[name][program]
    for (const argument of given) await assertAllowed(argument, { program, options, folder })
    const { timeout_seconds: seconds, max_output_bytes: mostBytes } = state
    const ended = await runProgram(program, given, { folder, seconds, mostBytes, signal })
    return { output: ended, isError: ended.exit_code !== 0 }
  },
}

async function realPathOfFolder(folder) {
  try {
    return await realpath(resolve(folder))
  } catch (error) {
    throw new Error(`"settings.shell.folder" cannot be used (${error.code}).`, { cause: error })
  }
}

/** A group without programs has no tool. The host refuses a program that is not in `enum` before the call runs. */
function toolFor(name, { description, safety }, allowed) {
  const names = Object.keys(allowed)
  if (names.length === 0) return []
  const shown = names.map((program) => [program, ...allowed[program]].join(' ')).join('; ')
  return [
    {
      name,
      description: `${description}, with these options: ${shown}. There is no shell. Paths are relative.`,
      input_schema: {
        type: 'object',
        properties: {
          program: { enum: names },
          arguments: {
            type: 'array',
            items: { type: 'string', maxLength: 1_000 },
            maxItems: 50,
          },
        },
        required: ['program'],
        additionalProperties: false,
      },
      // Cancelling kills the program, so that a cancelled call has no effect afterwards.
      safety: { ...safety, interrupt_behavior: 'cancel', capabilities: ['shell'] },
    },
  ]
}

/** An argument is one of the listed options, or a path that stays in the folder. */
async function assertAllowed(argument, { program, options, folder }) {
  if (argument.startsWith('-')) {
    if (options.includes(argument)) return
    throw refused(`"${program}" may not have the option ${JSON.stringify(argument)}.`)
  }
  // Behind a link, ".." is another folder for the program than it is by name.
  const goesUp = argument.split(sep).includes('..')
  if (goesUp || !isIn(folder, await realPathOf(resolve(folder, argument))))
    throw refused(`${JSON.stringify(argument)} leads out of the folder.`)
}

/** Where a path leads: links are followed, also those of folders above a file that does not exist yet. */
async function realPathOf(path) {
  try {
    return await realpath(path)
  } catch (error) {
    if (error.code !== 'ENOENT') throw refused(`The path cannot be used (${error.code}).`)
    // A link that leads to nothing: a program would make the file where it leads.
    if (await isThere(path)) throw refused('The path is a link that leads to nothing.')
    return join(await realPathOf(dirname(path)), basename(path))
  }
}

async function isThere(path) {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

function isIn(folder, path) {
  return path === folder || path.startsWith(`${folder}${sep}`)
}

function refused(message) {
  // A host reads the code: the arguments are wrong, not the tool.
  return Object.assign(new Error(message), { code: 'OPTION_INVALID' })
}
