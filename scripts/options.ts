import { type ParseArgsConfig, parseArgs } from 'node:util'

/** Reads the options of a script. If they cannot be read, it says why in one line and ends the script. */
export function scriptOptions<const Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config)
  } catch (error) {
    // What Node adds to its first sentence is advice for other commands.
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split(
      /\.?\n|\. /,
    )
    const known = Object.keys(config.options ?? {}).map((name) => `--${name}`)
    return refuse(`${reason.replace(/\.$/, '')}. The options are ${known.join(', ')}.`)
  }
}

/** The value of an option that is a whole number of at least 1. Any other value ends the script. */
export function countIn(option: string, value: string): number {
  const count = Number(value)
  if (Number.isInteger(count) && count > 0) return count
  return refuse(`${option} needs a whole number of at least 1, not "${value}".`)
}

/** Refuses a value of an option that is not one of the known ones. Without a value there is nothing to refuse. */
export function checkChoice(option: string, value: string | undefined, known: readonly string[]) {
  if (value === undefined || known.includes(value)) return
  refuse(`${option} needs one of ${known.join(', ')}, not "${value}".`)
}

/** Says in one line why a script cannot run as it is called, and ends it with the status of the command for that. */
export function refuse(reason: string): never {
  process.stderr.write(`error: ${reason}\n`)
  process.exit(2)
}
