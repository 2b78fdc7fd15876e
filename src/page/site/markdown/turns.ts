let turn = Promise.resolve()

/** Waits until the page has done something else: works of this kind are done one after another, and hold nothing up. */
export function nextTurn(): Promise<void> {
  turn = turn.then(() => new Promise((done) => setTimeout(done)))
  return turn
}
