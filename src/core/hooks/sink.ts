/**
 * Takes what comes, one after the other. While the promise that it answers is pending, nothing more is made:
 * so a slow reader holds up the source, over any number of stations in between. Where it answers nothing,
 * the next may come at once, which spares each chunk a turn of the microtask queue.
 */
export type Sink<T> = (taken: T) => undefined | Promise<void>
