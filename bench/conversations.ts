import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHost } from '@braidwork/core'
import scripted from '@braidwork/provider-scripted'
import { createServer, tokenAuthenticator } from '@braidwork/server'
import { openStorage } from '@braidwork/store'
import { inTurns, median, type Row } from './measure.ts'

const SIZES = [100, 1_000, 5_000]
/** How many of the messages the model is shown; a compaction has replaced those before. */
const SHOWN = 20
const TOKEN = 'bench-0123456789abcdef'
const OWNER = 'ada'
const TURNS = 10

type Storage = Awaited<ReturnType<typeof openStorage>>

/** The first byte of a turn, in conversations of different lengths of which the model is shown as much. */
export async function conversations(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'braidwork-bench-'))
  const storage = await openStorage(join(folder, 'data.db'))
  const settings = { scripted: { delay_ms: 0 } }
  const host = await createHost({ plugins: [scripted], config: { provider: 'scripted', settings } })
  const authenticate = tokenAuthenticator([{ token: TOKEN, id: OWNER, role: 'admin' }])
  const models = { quick: { config: {} } }
  const server = await createServer({ host, storage, models, authenticate })
  try {
    for (const size of SIZES) await converse(storage, size)
    const sides = SIZES.map((size) => ({
      what: `${size.toLocaleString('en')} messages stored`,
      run: async () => {
        const all: number[] = []
        for (let turn = 0; turn < TURNS; turn++) all.push(await firstByte(server, `of-${size}`))
        return median(all)
      },
    }))
    const times = await inTurns(sides, async (run) => Number(await run()))
    return [...times].map(([what, value]) => ({
      group: `first byte of a turn, ${SHOWN} messages shown to the model, SQLite`,
      what,
      value,
      unit: 'ms',
    }))
  } finally {
    await server.close()
    await host.close()
    await storage.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Stores a conversation whose older messages have been compacted. */
async function converse(storage: Storage, size: number): Promise<void> {
  const id = `of-${size}`
  await storage.conversations.create({ id, owner: OWNER, agent: 'quick', sender: OWNER }, 1)
  const entries = Array.from({ length: size }, (_, at) => {
    const role = at % 2 === 0 ? ('user' as const) : ('assistant' as const)
    const parts = [
      { type: 'text' as const, text: `Message ${at}: some words, as people use them.` },
    ]
    return { kind: 'message' as const, id: `e${at}`, message: { role, parts } }
  })
  const marker = {
    kind: 'compaction' as const,
    id: 'marker',
    summary: 'They talked.',
    archive: 'none',
    keptFrom: `e${size - SHOWN}`,
  }
  await storage.conversations.append(OWNER, id, { entries: [...entries, marker] }, 1)
}

/** Milliseconds until the first byte of an answer, which is then read to its end. */
async function firstByte(
  server: Awaited<ReturnType<typeof createServer>>,
  id: string,
): Promise<number> {
  const message = { id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text: 'Hi' }] }
  const start = performance.now()
  const response = await server.fetch(
    new Request('http://localhost/api/chat', {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify({ id, messages: [message], agent: 'quick' }),
    }),
  )
  if (response.status !== 200) throw new Error(await response.text())
  let first: number | undefined
  for await (const _ of response.body ?? []) first ??= performance.now() - start
  return first ?? Number.NaN
}
