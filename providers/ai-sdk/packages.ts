/** What the models of a package take, as their code says it: a model of the AI SDK does not tell. */
export interface Taken {
  /** The media types of files in messages of the user. */
  readonly files: RegExp
  /** Those in results of tools. Without them, images of results follow as a message of the user. */
  readonly inResults?: RegExp
  /** Whether the model API refuses a message of the user directly behind results of tools. */
  readonly needsBridge?: boolean
}

const ANY = /^/
const IMAGES = /^image\/.+$/
const IMAGES_AND_PDF = /^(image\/.+|application\/pdf)$/

/** By the name of the model API, such as `openai.responses`, or the package. The first that matches applies. */
const KNOWN: readonly (Taken & { readonly name: RegExp })[] = [
  {
    name: /(^|\.)anthropic\./,
    files: /^(image\/.+|application\/pdf|text\/plain)$/,
    inResults: IMAGES_AND_PDF,
  },
  { name: /^google\./, files: ANY, inResults: ANY },
  { name: /^(openai|azure)\.responses$/, files: IMAGES_AND_PDF, inResults: IMAGES_AND_PDF },
  { name: /^xai\.responses$/, files: IMAGES, inResults: IMAGES },
  { name: /^(openai|azure)\.chat$/, files: /^(image\/.+|audio\/(wav|mp3|mpeg)|application\/pdf)$/ },
  {
    name: /^@ai-sdk\/openai-compatible$/,
    files: /^(image\/.+|audio\/(wav|mp3|mpeg)|application\/pdf|text\/.+)$/,
  },
  { name: /^mistral\./, files: IMAGES_AND_PDF, needsBridge: true },
  { name: /^(cohere|groq|xai|deepseek)\./, files: IMAGES },
]

/** What the models of a model API take. One that is not known gets all files, but none in results of tools. */
export function takenBy(api: string, packageName: string): Taken {
  const isNamed = ({ name }: { readonly name: RegExp }) => name.test(api) || name.test(packageName)
  return KNOWN.find(isNamed) ?? { files: ANY }
}

/** The media types of files that results may have in a conversation: images go behind the results, if not into them. */
export function typesInResults({ inResults = IMAGES }: Taken): RegExp {
  return inResults
}

/** The media types that are taken where the settings say which kinds are. */
export const ANY_TYPE = ANY
