/**
 * Receives items one after the other. The source waits while a returned promise is pending, so a slow reader holds up
 * the source through any number of sinks. If the sink returns nothing, the next item may follow at once, which saves
 * each chunk a turn of the microtask queue.
 */
export type Sink<T> = (taken: T) => undefined | Promise<void>
