/**
 * Passes a value from one item to the next. It awaits only promises: on the hot path there are few, and each
 * unnecessary `await` costs a turn of the microtask queue.
 */
export function fold<I, T>(
  items: readonly I[],
  start: T,
  next: (value: T, item: I) => T | Promise<T>,
  from = 0,
): T | Promise<T> {
  let value = start
  for (let index = from; index < items.length; index++) {
    const answer = next(value, items[index] as I)
    if (answer instanceof Promise) {
      return answer.then((settled) => fold(items, settled, next, index + 1))
    }
    value = answer
  }
  return value
}

/** Continues with a value, at once if it is not a promise. */
export function andThen<T, U>(
  value: T | Promise<T>,
  next: (value: T) => U | Promise<U>,
): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}
