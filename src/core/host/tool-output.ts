import { isObject, type ResultEvidence, type ToolQuestion } from '@braidwork/plugin'

/** A tool's answer with flags, whose values are not checked except for artifacts, evidence and the question. */
type WithFlags = ResultEvidence & {
  readonly output?: unknown
  readonly isError?: unknown
  readonly native?: unknown
  readonly question?: ToolQuestion
}

const KEYS = new Set(['output', 'isError', 'native', 'artifacts', 'evidence', 'question'])
/** The most artifacts of a result, and the most pieces of evidence. */
const MOST = 100
/** The most characters of each text. */
const LONGEST = 4096

/** Whether an answer of a tool is an output with flags. Any other answer is plain JSON. */
export function isToolOutput(value: unknown): value is WithFlags {
  if (!isObject(value) || !('output' in value || 'native' in value)) return false
  const { artifacts = [], evidence = [], question } = value
  return (
    Object.keys(value).every((key) => KEYS.has(key)) &&
    (question === undefined || isQuestion(question)) &&
    isListOf(artifacts, isArtifact) &&
    isListOf(evidence, isShortText)
  )
}

function isQuestion(value: unknown): boolean {
  if (!isObject(value)) return false
  const { question, schema = {} } = value
  return typeof question === 'string' && question.trim() !== '' && isObject(schema)
}

function isListOf(value: unknown, isRight: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length <= MOST && value.every(isRight)
}

function isShortText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST
}

const ARTIFACT_KEYS: { readonly [key: string]: (value: unknown) => boolean } = {
  uri: isShortText,
  title: isShortText,
  mediaType: isShortText,
  size: (value) => typeof value === 'number' && value >= 0,
}

function isArtifact(value: unknown): boolean {
  if (!isObject(value) || !('uri' in value)) return false
  return Object.entries(value).every(([key, member]) => ARTIFACT_KEYS[key]?.(member) === true)
}
