import { type Command, InvalidArgumentError, Option } from 'commander'

/** Collects the values of an option that may be given several times. */
export function addTo(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value]
}

/** Gives a command the options of all commands that need a config. */
export function configured(command: Command): Command {
  return command
    .option(
      '--config <file>',
      'config file (JSON with comments) to use instead of the nearest braidwork.json',
    )
    .option('--provider <name>', 'provider to use')
    .option('--model <id>', 'model to use')
    .addOption(
      new Option(
        '--set <key=value>',
        'set a key of the config, such as settings.scripted.delay_ms=0',
      ).argParser(addTo),
    )
}

/** Reads an option that is a number of things. */
export function wholeNumber(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number > 0) return number
  throw new InvalidArgumentError('It must be a whole number above 0.')
}
