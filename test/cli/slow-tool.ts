/** The module of a tool "wait", which works until the file "go-on" is in the working directory. */
export const SLOW_TOOL = `
import { existsSync, watch } from 'node:fs'

export default {
  kind: 'tool',
  name: 'slow',
  getToolSchemas: () => [{ name: 'wait', description: 'Waits.', input_schema: { type: 'object' } }],
  executeTool: (_call, _state, { signal }) =>
    new Promise((resolve) => {
      const look = () => {
        if (!existsSync('go-on')) return
        watcher.close()
        resolve('waited')
      }
      const watcher = watch('.', look)
      signal.addEventListener('abort', () => watcher.close())
      look()
    }),
}
`
