/** The plugins that are written, and how each is used once it is installed. */
import type { Place } from './place.ts'
import type { Runtime } from './runtimes.ts'

/** A kind of plugin that is tried. */
export interface Sample {
  readonly kind: 'provider' | 'extension' | 'tool'
  /** Arguments that let a config use the plugin. */
  readonly use: (name: string, api: string) => readonly string[]
  readonly prompt: (name: string) => string
  /** A part of the answer that only this plugin makes. */
  readonly answer: string
  /** A setting of the plugin in the form. */
  readonly setting: (name: string) => string
}

/** The text that the API on loopback answers. */
export const API_ANSWER = 'Hello from the API.'

export const SAMPLES: readonly Sample[] = [
  {
    kind: 'provider',
    use: (name, api) => ['--provider', name, '--set', `settings.${name}.base_url=${api}`],
    prompt: () => 'Hello',
    answer: API_ANSWER,
    setting: (name) => `/settings/${name}/base_url: http://`,
  },
  {
    kind: 'extension',
    use: (name) => [
      '--set',
      `enabled_plugins=${JSON.stringify({ add: [name] })}`,
      '--set',
      `settings.scripted.script=[{"then":{"text":"“It’s tea.”"}}]`,
    ],
    prompt: () => 'Hello',
    answer: `"It's tea."`,
    setting: (name) => `/switches/${name}: yes`,
  },
  {
    kind: 'tool',
    use: () => [],
    prompt: (name) => `Use run_${name.replaceAll('-', '_')} for "Tea is hot today."`,
    answer: 'words: 4, characters: 17',
    setting: (name) => `/switches/${name}: yes`,
  },
]

/** An installed plugin in a folder. */
export interface Installed {
  readonly sample: Sample
  readonly name: string
  readonly place: Place
  readonly runtime: Runtime
  /** The address of the API that answers. */
  readonly api: string
}

/** Expects `explain` to say that the plugin is on. @returns that line */
export async function explained({ sample, name, place, runtime, api }: Installed): Promise<string> {
  const { out } = await place.run(...runtime.braidwork, 'explain', ...sample.use(name, api))
  const line = out.split('\n').find((one) => one.startsWith(`${name} `)) ?? ''
  if (/ on /.test(line)) return line.replaceAll(/ +/g, ' ').trim()
  throw new Error(`"explain" does not say that it is on:\n${out}`)
}

/** Expects the form to have a setting of the plugin. @returns its line */
export async function shown({ sample, name, place, runtime, api }: Installed): Promise<string> {
  const { out } = await place.run(...runtime.braidwork, 'settings', ...sample.use(name, api))
  const line = out.split('\n').find((one) => one.includes(sample.setting(name)))
  if (line !== undefined) return line.trim()
  throw new Error(`the form has no "${sample.setting(name)}":\n${out}`)
}

/** Expects an answer that only the plugin makes. @returns the answer */
export async function answered({ sample, name, place, runtime, api }: Installed): Promise<string> {
  const using = sample.use(name, api)
  const { out } = await place.run(...runtime.braidwork, 'chat', ...using, sample.prompt(name))
  if (out.includes(sample.answer)) return out.trim()
  throw new Error(`the answer has no "${sample.answer}":\n${out}`)
}
