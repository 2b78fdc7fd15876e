import { readdirSync, readFileSync } from 'node:fs'
import type { JsonObject } from './mutations.ts'

const FOLDER = new URL('./fixtures/', import.meta.url)

/** The names of our own answers; each is a stream and the same answer whole. */
export const FIXTURES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace('.json', ''))

/** The chunks of a fixture's stream. */
export function chunksOf(name: string): readonly JsonObject[] {
  return linesOf(name).map((line) => JSON.parse(line) as JsonObject)
}

/** A fixture's whole answer. */
export function wholeOf(name: string): JsonObject {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as JsonObject
}

function linesOf(name: string): readonly string[] {
  const text = readFileSync(new URL(`${name}.chunks.txt`, FOLDER), 'utf8')
  return text.split('\n').filter((line) => line.trim() !== '')
}
