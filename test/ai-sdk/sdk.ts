import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { needsPeer } from '../helpers/peer-scripts.ts'

const PEERS = join(import.meta.dirname, '../peers/node_modules')

/** The functions of the AI SDK that the tests call. Its versions have other types, so these are the common ones. */
export interface Sdk {
  streamText(options: object): StreamedText
  generateText(options: object): Promise<Step & { readonly steps: readonly Step[] }>
  tool(definition: object): object
  jsonSchema(schema: object): object
  readonly Output: { object(options: object): object }
  readonly APICallError: { isInstance(error: unknown): boolean }
  /** Stops after a number of steps. */
  readonly stopAfter: (steps: number) => object
}

export interface Step {
  readonly text: string
  readonly reasoningText: string | undefined
  readonly finishReason: string
  readonly toolCalls: readonly SdkCall[]
  readonly usage: { readonly inputTokens?: number; readonly outputTokens?: number }
  readonly warnings?: readonly object[]
  readonly response: { readonly id?: string; readonly messages: readonly object[] }
  readonly output?: unknown
  readonly experimental_output?: unknown
}

export interface SdkCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
  readonly providerExecuted?: boolean
}

export type StreamedText = {
  readonly [key in Exclude<keyof Step, 'experimental_output'>]: Promise<Step[key]>
} & {
  readonly steps: Promise<readonly Step[]>
  readonly textStream: AsyncIterable<string>
  readonly fullStream: AsyncIterable<{ readonly type: string; readonly [key: string]: unknown }>
  consumeStream(): Promise<void>
}

/** Loads a published package of `test/peers` by its entry for modules. */
export async function peer(name: string): Promise<{ readonly [name: string]: unknown }> {
  const folder = join(PEERS, name)
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    exports: { '.': { import?: string; default?: string } }
  }
  const entry = exports['.'].import ?? exports['.'].default ?? 'dist/index.js'
  return (await import(pathToFileURL(join(folder, entry)).href)) as { [name: string]: unknown }
}

/** Loads a version of the AI SDK. It writes no warnings to the console. */
export async function sdkOf(version: 5 | 6 | 7): Promise<Sdk> {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  const loaded = await peer(`ai-${version}`)
  return { ...loaded, stopAfter: loaded['stepCountIs'] ?? loaded['isStepCount'] } as unknown as Sdk
}

/** Skips a test where the AI SDK is not installed. */
export function needsSdk(context: Mocha.Context): void {
  needsPeer(context, 'ai-7')
}

export const hasSdk = existsSync(join(PEERS, 'ai-7'))
