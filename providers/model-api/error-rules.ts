/** The facts of an error by which it gets its code. */
interface Reported {
  /** The API's own error codes and types. */
  readonly names: readonly unknown[]
  readonly message: string
  readonly status: number | undefined
}

interface Rule {
  readonly code: string
  readonly retryable?: boolean
  /** The API's own error codes and types. */
  readonly names?: readonly string[]
  readonly statuses?: readonly number[]
  readonly message?: RegExp
}

/** The first rule with a matching name or message applies; otherwise the first with the status. */
const RULES: readonly Rule[] = [
  {
    code: 'CONTEXT_OVERFLOW',
    names: ['context_length_exceeded', 'string_above_max_length', 'exceed_context_size_error'],
    message:
      /maximum context length|context (window|length|size|limit)|prompt is too long|too many tokens/i,
  },
  {
    code: 'QUOTA_EXCEEDED',
    names: [
      'insufficient_quota',
      'billing_hard_limit_reached',
      'billing_not_active',
      'billing_error',
    ],
    statuses: [402],
    message:
      /credit balance is too low|insufficient (balance|credits)|(has no|have any) credits|(usage|spend) limits?\b/i,
  },
  {
    code: 'CONTENT_FILTERED',
    names: [
      'content_filter',
      'content_policy_violation',
      'image_content_policy_violation',
      'moderation_blocked',
      'ResponsibleAIPolicyViolation',
    ],
    message: /\b(input|prompt|request|content) was flagged\b|content exists risk/i,
  },
  {
    code: 'MODEL_UNKNOWN',
    names: ['model_not_found', 'invalid_model'],
    message:
      /^(the )?model:? .*(not exist|not found)|^no endpoints found for \S+$|^model: \S+$|invalid model\b|not a valid model/i,
  },
  {
    code: 'PROVIDER_UNAUTHORIZED',
    names: [
      'invalid_api_key',
      'authentication_error',
      'invalid_authentication',
      'permission_error',
    ],
    statuses: [401, 403],
    message: /^incorrect api key|api key not valid/i,
  },
  {
    code: 'OVERLOADED',
    retryable: true,
    names: ['server_overloaded', 'overloaded_error', 'slow_down', 'server_is_overloaded'],
    statuses: [498, 503, 529],
    message: /\b(engine|server|model) is (currently |temporarily )?overloaded\b/i,
  },
  {
    code: 'RATE_LIMITED',
    retryable: true,
    names: ['rate_limit_exceeded', 'rate_limit_error', 'too_many_requests'],
    statuses: [429],
  },
  { code: 'TIMEOUT', retryable: true, names: ['timeout_error'], statuses: [408, 504] },
  {
    code: 'PROVIDER_FAILED',
    retryable: true,
    names: ['server_error', 'internal_error', 'api_error', 'internal_server_error'],
  },
  {
    code: 'INVALID_REQUEST',
    names: ['invalid_request_error', 'invalid_prompt', 'not_found_error', 'request_too_large'],
  },
]

/** The code of an API's error, and whether the same request may succeed later. */
export function judge(error: Reported): { readonly code: string; readonly retryable: boolean } {
  const rule = ruleFor(error)
  const code = rule?.code ?? codeOfStatus(error.status)
  return { code, retryable: rule ? rule.retryable === true : code === 'PROVIDER_FAILED' }
}

function ruleFor({ names, message, status }: Reported): Rule | undefined {
  const byName = RULES.find((rule) => names.some((name) => rule.names?.includes(String(name))))
  if (byName && !isVague(byName)) return byName
  const byMessage = RULES.find((rule) => rule.message?.test(message))
  const byStatus = RULES.find((rule) => status && rule.statuses?.includes(status))
  return byMessage ?? byStatus ?? (isRefusal(status) ? undefined : byName)
}

/**
 * Whether a name says less than the status or the message: nearly every refusal has the type `invalid_request_error`,
 * those of Ollama have `api_error`, which elsewhere is a fault of the server, and OpenAI's have `server_error` also where
 * the API is overloaded.
 */
function isVague({ code }: Rule): boolean {
  return code === 'INVALID_REQUEST' || code === 'PROVIDER_FAILED'
}

/** A refusal of OpenRouter, with status 404: its address is right, but no server behind it fits the request. */
const NO_SERVER = /^no (endpoints|allowed providers)\b/i

/** Whether an error may mean that the request went to a wrong address. */
export function mayBeElsewhere({ message, status }: Omit<Reported, 'names'>): boolean {
  return status !== undefined && (status < 400 || status === 404) && !NO_SERVER.test(message)
}

function codeOfStatus(status: number | undefined): string {
  return isRefusal(status) ? 'INVALID_REQUEST' : 'PROVIDER_FAILED'
}

/** Whether a status says that the fault is in the request. */
function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 300 && status < 500
}
