/** Said of a module that could not be loaded, since Node names the file of an error only when nobody catches it. */
const ADVICE =
  'A module is missing, incomplete or not valid JavaScript. Install its package again; if the file is your own, check it with "node --check FILE".'

/** What to do about an error that Node threw to load a module. Undefined for other errors, also those of its own code. */
export function moduleAdvice(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined
  const isMissing = thrown.message.startsWith('Cannot find module ')
  return isMissing || (thrown instanceof SyntaxError && isOfLoader(thrown)) ? ADVICE : undefined
}

/** Whether an error was thrown by Node's module loader itself, and not by code that it ran. */
function isOfLoader({ stack }: Error): boolean {
  const site = /^ {4}at .*$/m.exec(String(stack))?.[0]
  return site?.includes('(node:internal/modules/') ?? false
}
