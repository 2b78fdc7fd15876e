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
  return hasOnlyFlags(value) && faultOf(value) === undefined
}

/** Why an answer is plain JSON although it has only members of an output with flags. Undefined for all others. */
export function outputFault(value: unknown): string | undefined {
  return hasOnlyFlags(value) ? faultOf(value) : undefined
}

function hasOnlyFlags(value: unknown): value is { readonly [key: string]: unknown } {
  if (!isObject(value) || !('output' in value || 'native' in value)) return false
  return Object.keys(value).every((key) => KEYS.has(key))
}

function faultOf({ artifacts = [], evidence = [], question }: { readonly [key: string]: unknown }) {
  if (question !== undefined && !isQuestion(question))
    return '"question" must be an object {question, schema?} with a text'
  if (!isListOf(artifacts, isArtifact))
    return `"artifacts" must be a list of at most ${MOST} objects {uri, title?, mediaType?, size?}`
  if (!isListOf(evidence, isShortText))
    return `"evidence" must be a list of at most ${MOST} texts of 1 to ${LONGEST} characters`
  return undefined
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
