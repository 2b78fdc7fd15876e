const FLAG = '--disallow-code-generation-from-strings'

/**
 * Tells which flag of Node is the cause where code cannot be generated. Other errors are returned unchanged.
 * @param needing what needs the code, such as `a check of arguments`
 */
export function codeGenerationFault(error: unknown, needing: string): unknown {
  if (!isCodeForbidden(error)) return error
  const message = `${needing} needs generated code, which "${FLAG}" forbids; run Node without this flag`
  return new EvalError(message, { cause: error })
}

/** Whether this program may not generate code: no schema, and no plugin, is at fault. */
export function isCodeForbidden(error: unknown): error is EvalError {
  return error instanceof EvalError
}
