import type { Config } from '@braidwork/plugin'
import type { OfferedTool } from '../../tool-schemas/index.ts'
import { AnswerMask } from '../answer-mask.ts'
import type { HostCore } from '../core.ts'

/** Mask the secrets of a config in what tools tell: servers and programs may repeat a key that they were given. */
export interface ToolMasks {
  /** Masks them in a text. */
  readonly mask: (text: string) => string
  /** Masks those that are no ordinary words, in a JSON value and its keys. Returns the same value if it has none. */
  readonly maskValue: <T>(value: T) => T
}

const NAME_WITHHELD =
  'The name of this tool contains a secret of the config, so no model is shown it.'

export function masksFor({ secrets }: Pick<HostCore, 'secrets'>, config: Config): ToolMasks {
  const mask = secrets.textMask(config)
  const echoes = secrets.echoes(config)
  if (echoes.length === 0) return { mask, maskValue: (value) => value }
  const answers = new AnswerMask(echoes)
  return { mask: (text) => answers.text(mask(text)), maskValue: (value) => answers.value(value) }
}

/** A tool without secrets in its texts. One with a secret in its name is withheld, because its calls need that name. */
export function maskedTool(tool: OfferedTool, maskValue: ToolMasks['maskValue']): OfferedTool {
  const { plugin, state, policy, execute, unavailable, ...told } = tool
  const shown = maskValue(told)
  if (shown === told) return tool
  const isNamed = shown.name !== tool.name || shown.ownName !== tool.ownName
  return { ...tool, ...shown, ...(isNamed ? { withheld: NAME_WITHHELD } : {}) }
}
