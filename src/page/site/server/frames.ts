/** Reads the `data:` lines of server-sent events until the body ends. A frame is as the server sends it: one line. */
export async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const lines = (rest + decoder.decode(read.value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.startsWith('data: ')) yield line.slice(6)
    }
  } finally {
    // A reader that leaves early ends the request.
    await reader.cancel().catch(() => undefined)
  }
}
