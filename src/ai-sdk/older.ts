import type {
  FinishPart,
  GenerateResult,
  PlainContent,
  StreamPart,
  TextContent,
  Usage,
  Warning,
} from './answer-types.ts'
import type {
  GenerateResult5,
  GenerateResult6,
  OlderFile,
  StreamPart5,
  StreamPart6,
  Usage5,
  Warning5,
} from './models.ts'

/** A part of a stream as version 6 takes it. Undefined for what only version 7 has. */
export function part6(part: StreamPart): StreamPart6 | undefined {
  if (part.type === 'custom') return undefined
  return part.type === 'file' ? olderFile(part) : part
}

/** A part of a stream as version 5 takes it. Undefined for what only later versions have. */
export function part5(part: StreamPart): StreamPart5 | undefined {
  const older = part6(part)
  if (older?.type === 'finish') return { type: 'finish', ...ending5(older) }
  if (older?.type === 'stream-start') return { ...older, warnings: older.warnings.map(warning5) }
  return older
}

/** A whole answer as version 6 takes it. */
export function result6({ content, ...result }: GenerateResult): GenerateResult6 {
  return { ...result, content: content.flatMap((one) => olderContent(one) ?? []) }
}

/** A whole answer as version 5 takes it. */
export function result5(result: GenerateResult): GenerateResult5 {
  return { ...result6(result), ...ending5(result), warnings: result.warnings.map(warning5) }
}

function olderContent(
  content: TextContent | PlainContent,
): GenerateResult6['content'][number] | undefined {
  if (content.type === 'custom') return undefined
  return content.type === 'file' ? olderFile(content) : content
}

/** Files by address are left out: their content is not known here. */
function olderFile({
  data,
  ...file
}: Extract<PlainContent, { type: 'file' }>): OlderFile | undefined {
  return data.type === 'data' ? { ...file, data: data.data } : undefined
}

function ending5({ finishReason, usage }: Pick<FinishPart, 'finishReason' | 'usage'>) {
  return { finishReason: finishReason.unified, usage: usage5(usage) }
}

function usage5({ inputTokens, outputTokens }: Usage): Usage5 {
  const [input, output] = [inputTokens.total, outputTokens.total]
  return {
    inputTokens: input,
    outputTokens: output,
    totalTokens: input === undefined || output === undefined ? undefined : input + output,
    reasoningTokens: outputTokens.reasoning,
    cachedInputTokens: inputTokens.cacheRead,
  }
}

function warning5(warning: Warning): Warning5 {
  if (warning.type === 'other') return warning
  const { feature: setting, details } = warning
  return { type: 'unsupported-setting', setting, ...(details === undefined ? {} : { details }) }
}
