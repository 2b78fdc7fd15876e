/** Milliseconds after which a person wonders whether anything happens. */
const PAUSE = 15_000

/**
 * Notes again and again that something still waits, until it says that it does not, or ends.
 * @returns its result
 */
export async function whileWaiting<T>(
  note: () => void,
  act: (end: () => void) => Promise<T>,
  pause = PAUSE,
): Promise<T> {
  const timer = setInterval(note, pause)
  const end = () => clearInterval(timer)
  try {
    return await act(end)
  } finally {
    end()
  }
}
