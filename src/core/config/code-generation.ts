const FLAG = '--disallow-code-generation-from-strings'

/**
 * Says that code cannot be generated, and names the flag of Node that forbids it, if there is one. Other errors are
 * returned unchanged.
 * @param needing what needs the code, such as `a check of arguments`
 */
export function codeGenerationFault(error: unknown, needing: string): unknown {
  if (!isCodeForbidden(error)) return error
  return new EvalError(`${needing} needs generated code, which ${prohibition()}`, { cause: error })
}

function prohibition(): string {
  const { execArgv = [], env = {} }: Partial<Pick<NodeJS.Process, 'execArgv' | 'env'>> = process
  // V8 takes underscores in its flags too.
  const flags = [...execArgv, env['NODE_OPTIONS']].join(' ').replaceAll('_', '-')
  return flags.includes(FLAG)
    ? `"${FLAG}" forbids; run Node without this flag`
    : 'this environment forbids'
}

/** Whether this program may not generate code: no schema, and no plugin, is at fault. */
export function isCodeForbidden(error: unknown): error is EvalError {
  return error instanceof EvalError
}
