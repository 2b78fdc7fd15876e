/** Measures one thing, in a process of its own, and prints its rows as JSON. */

import { agents } from './agents.ts'
import { calls } from './calls.ts'
import { conversations } from './conversations.ts'
import { explain } from './explain.ts'
import { firstChunk } from './first-chunk.ts'
import { firstToken } from './first-token.ts'
import { mcpServers } from './mcp.ts'
import type { Row } from './measure.ts'
import { paced } from './paced.ts'
import { packages } from './packages.ts'
import { python } from './python.ts'
import { resolution } from './resolution.ts'
import { send } from './send.ts'
import { served } from './served.ts'
import { settings } from './settings.ts'
import { short } from './short.ts'
import { smollm } from './smollm.ts'
import { steps } from './steps.ts'
import { stream } from './stream.ts'
import { subagents } from './subagents.ts'
import { wire } from './wire.ts'

const SUITES: ReadonlyMap<string, () => Promise<readonly Row[]>> = new Map([
  ['stream', stream],
  ['wire', wire],
  ['first-chunk', firstChunk],
  ['send', send],
  ['short', short],
  ['first-token', firstToken],
  ['paced', paced],
  ['served', served],
  ['conversations', conversations],
  ['resolution', resolution],
  ['settings', settings],
  ['explain', explain],
  ['mcp', mcpServers],
  ['packages', packages],
  ['steps', steps],
  ['calls', calls],
  ['agents', agents],
  ['subagents', subagents],
  ['python', python],
  ['smollm', smollm],
])

const [name = ''] = process.argv.slice(2)
const measure = SUITES.get(name)
if (!measure) throw new Error(`There is no suite "${name}".`)
process.stdout.write(JSON.stringify(await measure()))
// Peers keep connections open.
process.exit()
