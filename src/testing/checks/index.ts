import type { Kind } from '@braidwork/plugin'
import { ANSWERS_OF_OTHERS, ANSWERS_OF_PROVIDERS, ANSWERS_OF_TOOLS } from './answers.ts'
import { leavesArguments } from './arguments.ts'
import { CANCELLING } from './cancelling.ts'
import type { Check } from './check.ts'
import { CLOSING } from './closing.ts'
import { EMBEDDING } from './embedding.ts'
import { ERRORS } from './errors.ts'
import { HISTORIES_OF_OTHERS, HISTORIES_OF_PROVIDERS } from './histories.ts'
import {
  HOOKS_OF_EXTENSIONS,
  HOOKS_OF_FEATURES,
  HOOKS_OF_PROVIDERS,
  HOOKS_OF_TOOLS,
} from './hooks.ts'
import { KEEPS_OF_EXTENSIONS, KEEPS_OF_FEATURES } from './keeps.ts'
import { MANIFEST } from './manifest.ts'
import { REQUESTS_OF_PROVIDERS } from './model-requests.ts'
import { RESOLUTION_OF_OTHERS, RESOLUTION_OF_PROVIDERS, RESOLUTION_OF_TOOLS } from './resolution.ts'
import { RUN_HOOKS_OF_FEATURES } from './run-hooks.ts'
import { ACTIONS, SETTINGS } from './settings.ts'
import { SPLITS_OF_EXTENSIONS, SPLITS_OF_OTHERS, SPLITS_OF_PROVIDERS } from './splits.ts'
import { TOGETHER, TOGETHER_OF_PROVIDERS } from './together.ts'
import { TOOL_CALLS } from './tool-calls.ts'
import { TOOLS } from './tools.ts'

export { type Check, NotJudged } from './check.ts'

/** The checks of each kind of plugin, in the order in which they run. The last one closes the host. */
export const CHECKS: { readonly [K in Kind]: readonly Check[] } = {
  provider: [
    ...RESOLUTION_OF_PROVIDERS,
    ...MANIFEST,
    ...SETTINGS,
    ...leavesArguments('provider'),
    ...ANSWERS_OF_PROVIDERS,
    ...HOOKS_OF_PROVIDERS,
    ...REQUESTS_OF_PROVIDERS,
    ...HISTORIES_OF_PROVIDERS,
    ...SPLITS_OF_PROVIDERS,
    ...TOGETHER_OF_PROVIDERS,
    ...ERRORS,
    ...EMBEDDING,
    ...CANCELLING,
    ...CLOSING,
  ],
  extension: [
    ...RESOLUTION_OF_OTHERS,
    ...MANIFEST,
    ...SETTINGS,
    ...ACTIONS,
    ...leavesArguments('extension'),
    ...ANSWERS_OF_OTHERS,
    ...HOOKS_OF_EXTENSIONS,
    ...KEEPS_OF_EXTENSIONS,
    ...HISTORIES_OF_OTHERS,
    ...SPLITS_OF_EXTENSIONS,
    ...TOGETHER,
    ...CANCELLING,
    ...CLOSING,
  ],
  feature: [
    ...RESOLUTION_OF_OTHERS,
    ...MANIFEST,
    ...SETTINGS,
    ...ACTIONS,
    ...leavesArguments('feature'),
    ...ANSWERS_OF_OTHERS,
    ...HOOKS_OF_FEATURES,
    ...KEEPS_OF_FEATURES,
    ...HISTORIES_OF_OTHERS,
    ...SPLITS_OF_OTHERS,
    ...RUN_HOOKS_OF_FEATURES,
    ...TOGETHER,
    ...CANCELLING,
    ...CLOSING,
  ],
  tool: [
    ...RESOLUTION_OF_TOOLS,
    ...MANIFEST,
    ...SETTINGS,
    ...leavesArguments('tool'),
    ...TOOLS,
    ...TOOL_CALLS,
    ...ANSWERS_OF_TOOLS,
    ...HOOKS_OF_TOOLS,
    ...CANCELLING,
    ...CLOSING,
  ],
}
