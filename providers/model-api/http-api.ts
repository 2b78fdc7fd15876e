import type {
  Config,
  Context,
  JsonObject,
  Message,
  ModelInfo,
  ModelTool,
  Provider,
  SettingsOf,
} from '@braidwork/plugin'
import type { Framing } from './events/framing.ts'
import type { FileRules } from './files.ts'
import type { Piece } from './format.ts'
import type { CallIds } from './history.ts'
import type { KnownModel } from './model-data.ts'
import type { Profile } from './profile.ts'
import { type ConnectionSettings, type Sampling, type SamplingKey, settingsOf } from './settings.ts'
import type { BuiltInSetting, BuiltInTypes, WORDS } from './table-settings.ts'

/** The JSON Schemas of settings, by name. */
export interface OwnSettings {
  readonly [setting: string]: JsonObject
}

/**
 * What a table may say of settings: of one that is built in, its words and its default, and of its own settings
 * everything.
 */
export type AllowedSettings<Own extends OwnSettings> = {
  readonly [K in keyof Own]: K extends BuiltInSetting
    ? { readonly [M in keyof Own[K]]: AllowedMember<K, M, Own[K][M]> }
    : Own[K]
}

type AllowedMember<K, M, Value> = M extends (typeof WORDS)[number]
  ? Value
  : M extends 'type'
    ? K extends keyof BuiltInTypes
      ? BuiltInTypes[K]
      : Value
    : never

/** The data from which the body of a request is built. */
export interface HttpRequest<Own extends OwnSettings = OwnSettings> {
  /** The config's model, or the first one of the table. */
  readonly model: string
  /** The conversation, with histories repaired and files checked. */
  readonly messages: readonly Message[]
  /** The tools on offer, with schemas in the format of the table. */
  readonly tools: readonly ModelTool[]
  /** The settings of the plugin, validated, with the defaults of those that the table adds. */
  readonly settings: ConnectionSettings &
    SettingsOf<{ readonly properties: Omit<Own, BuiltInSetting> }>
  /** The neutral keys of the config, such as `temperature`, overridden by the settings. */
  readonly sampling: Sampling
  readonly modelInfo: ModelInfo
  readonly config: Config
  /** Tells the caller about something that the request leaves out. */
  readonly warn: (sentence: string) => void
}

/** The context of an answer. `local` keeps values from one line of an answer to the next. */
export type AnswerContext = Pick<Context, 'local' | 'warn' | 'modelInfo' | 'config'>

/**
 * A model API over HTTP: data, and the two functions that know its format. `Line` is the type of a line, and `Own` has
 * the schemas of the settings that the table adds.
 */
export interface HttpApi<Own extends OwnSettings = OwnSettings, Line extends object = JsonObject>
  extends Omit<Profile, 'keySetting' | 'server' | 'connect'> {
  /** The path of a request below the base URL, such as `/answers`. */
  readonly path: string
  /** The path of the list of models, whose answer is `{data: [{id}]}` or `{models: [{id}]}`. Absent: there is none. */
  readonly modelsPath?: string
  /** How an answer is divided: into server-sent events (the default), or lines that are JSON objects each. */
  readonly framing?: Framing
  /** The models, by id, with the known data of each. The first is the default. None only if the API lists its models. */
  readonly models: { readonly [id: string]: KnownModel }
  /** The id of the company in the price library (@pydantic/genai-prices), which completes the data of the models. */
  readonly priceList?: string
  /** Tags beside the plugin's name, `text`, `streaming` and `history-repair`, for all models or for one. */
  readonly tags?: readonly string[] | ((model: string) => readonly string[])
  /**
   * JSON Schemas of further settings, beside the address, the key, headers, retries and the neutral keys. Of these,
   * `title`, `description`, `default`, `examples` and `x-i18n` may be changed; a secret, the address and the models have
   * no `default`.
   */
  readonly settings?: Own & AllowedSettings<Own>
  /**
   * The neutral keys that the API has, such as `temperature`; by default all. The form has no other ones, and a request
   * leaves them out with a warning.
   */
  readonly sampling?: readonly SamplingKey[]
  /** The form of tool schemas that the API takes; by default any JSON Schema. */
  readonly toolSchemaFormat?: NonNullable<Provider['toolSchemaFormat']>
  /** The ids of tool calls that the API takes; by default letters, digits, `_` and `-`, at most 64. */
  readonly callIds?: CallIds
  /** The files that the API takes; by default none. */
  readonly files?: FileRules
  /** Whether requests to the base URL need a key; by default they do. */
  readonly needsKey?: boolean
  /** The headers that carry the key; by default `Authorization: Bearer …`. */
  readonly keyHeaders?: (key: string) => { readonly [name: string]: string }
  /**
   * Whether a line completes the answer. An answer without such a line is an error. Without this function, an answer is
   * complete where its body ends.
   */
  readonly isLast?: (line: Line) => boolean
  /** The error in a line, an object or a text. By default, a member `error`. */
  readonly errorIn?: (line: Line) => unknown
  /** Builds the body of a request, which asks for a stream: an object, or the promise of one. */
  readonly request: (asked: HttpRequest<Own>) => object | Promise<object>
  /** The pieces of the answer in a line: a list, a generator, or a text, which is one piece. */
  readonly answer: (line: Line, context: AnswerContext) => Iterable<Piece>
}

/** The models of the settings, or those of the table. */
export function modelsOf(api: HttpApi, config: Config): readonly string[] {
  const { models } = settingsOf(config, api)
  return models && models.length > 0 ? models : Object.keys(api.models)
}
