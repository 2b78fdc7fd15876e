import type { EN_REASONS } from './en-reasons.ts'

/** The words for classes of errors of calls, and for codes of reasons why a tool is not offered or must ask, in German. */
export const DE_REASONS: { readonly [name in keyof typeof EN_REASONS]: string } = {
  toolError_approval_rejected: 'niemand hat es erlaubt',
  toolError_canceled: 'es wurde abgebrochen',
  toolError_dependency_unavailable: 'es konnte nicht erreichen, was es braucht',
  toolError_execution_failed: 'es meldete einen Fehler',
  toolError_hook_blocked: 'ein Feature hielt es an',
  toolError_invalid_arguments: 'die Argumente waren ungültig',
  toolError_outcome_unknown: 'niemand sah, wie es endete',
  toolError_permission_denied: 'die Konfiguration oder der Agent erlaubt es nicht',
  toolError_policy_blocked: 'dieser Lauf lässt es nicht zu',
  toolError_rate_limited: 'es wurde zu oft gefragt',
  toolError_result_too_large: 'das Ergebnis war zu groß',
  toolError_sibling_canceled: 'ein anderer Aufruf daneben scheiterte',
  toolError_timeout: 'es dauerte zu lange',
  toolError_unknown_tool: 'dieses Werkzeug gibt es nicht',
  toolReason_CALLER_TOOLLESS: 'Dein Token gibt keine Werkzeuge dieses Servers (host_tools).',
  toolReason_MODEL_TOOLLESS: 'Dieses Modell hat keine Werkzeuge dieses Servers (host_tools).',
  toolReason_PLUGIN_INACTIVE: 'Sein Plugin gehört nicht zu denen, die mitwirken.',
  toolReason_POLICY_ASKS: 'Die Konfiguration lässt vorher einen Menschen fragen: {pointer}.',
  toolReason_POLICY_DENIES: 'Die Konfiguration verbietet es: {pointer}.',
  toolReason_RESULTS_MISSING: 'Es gibt kein großes Ergebnis zu lesen.',
  toolReason_TOOL_EXCLUDED: 'Der Agent schließt es aus: „{entry}“.',
  toolReason_TOOL_NAME_TAKEN:
    'Ein anderes Werkzeug heißt auch „{name}“. Mit tool_names lässt es sich umbenennen.',
  toolReason_TOOL_OUT_OF_SCOPE: 'Der Environment-Hook „{hook}“ bietet es diesem Agenten nicht an.',
  toolReason_TOOL_UNLISTED: 'Der Agent erlaubt es nicht.',
  toolReason_TOOLS_MISSING: 'Es ist an, bietet aber bei dieser Konfiguration kein Werkzeug an.',
}
