/** What an answer failed with. */
export async function failureOf<E extends Error>(answer: PromiseLike<unknown>): Promise<E> {
  try {
    await answer
  } catch (error) {
    return error as E
  }
  throw new Error('it did not fail')
}
