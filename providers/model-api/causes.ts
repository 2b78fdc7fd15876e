const ERROR = /^\[object (?:Error|DOMException)\]$/

/** The messages of an error and its causes, each once. */
export function reasonOf(error: Error): string {
  const messages = causesOf(error).map(({ message }) => message.replace(/\.$/, ''))
  return [...new Set(messages)]
    .filter((message) => message !== '')
    .slice(0, 4)
    .join(': ')
}

/** An error and its causes, outermost first. */
export function causesOf(error: Error): readonly Error[] {
  const causes: Error[] = []
  for (let at: unknown = error; isError(at) && causes.length < 8; at = causeOf(at)) {
    causes.push(at)
  }
  return causes
}

/** The root cause. If a host has several addresses and all failed, the first failure. */
function causeOf(error: Error): unknown {
  return isAggregate(error) ? error.errors[0] : error.cause
}

function isAggregate(error: Error): error is AggregateError {
  return error.name === 'AggregateError' && 'errors' in error && Array.isArray(error.errors)
}

/** Whether a value is an error, also one of Node under jest, where its class is another one. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || ERROR.test(Object.prototype.toString.call(value))
}
