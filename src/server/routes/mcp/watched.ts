/**
 * Returns a response whose stream is watched.
 * @param onEnd called once, when the client has the whole body or leaves
 * @returns the response, and a function that cuts its stream off
 */
export function watched(
  response: Response,
  onEnd: () => void,
): { readonly response: Response; readonly cut: () => void } {
  const { body, status, headers } = response
  if (!body) {
    onEnd()
    return { response, cut: () => undefined }
  }
  const reader = body.getReader()
  let isOver = false
  const end = (): void => {
    if (isOver) return
    isOver = true
    onEnd()
  }
  const cut = (): void => {
    end()
    // The client has left. Of a body that has failed, there is nothing to cancel.
    reader.cancel().catch(() => undefined)
  }
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        end()
        return controller.close()
      },
      cancel: cut,
    },
    { highWaterMark: 0 },
  )
  return { response: new Response(stream, { status, headers }), cut }
}
