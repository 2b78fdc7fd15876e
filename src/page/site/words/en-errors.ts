/** The words for codes of errors of the server in English. */
export const EN_ERRORS = {
  error_CIRCUIT_OPEN: 'The model API failed repeatedly. Try again {when}.',
  error_CONTENT_FILTERED: 'The model refused, or its answer was filtered.',
  error_CONTEXT_OVERFLOW: 'This conversation is too long for the model.',
  error_HOST_CLOSED: 'The server is stopping. Try again {when}.',
  error_OUTPUT_INVALID: 'The answer of the model does not have the format that was asked for.',
  error_OVERLOADED: 'The model API is overloaded. Try again {when}.',
  error_PROVIDER_FAILED: 'The model API failed. Try again {when}.',
  error_PROVIDER_UNAUTHORIZED:
    'The model API refused the credentials of the server. Only the operator of the server can change this.',
  error_QUOTA_EXCEEDED:
    'The quota of the model API is used up. Only the operator of the server can change this.',
  error_RATE_LIMITED: 'The model API limits the requests of this server. Try again {when}.',
  error_STORAGE_FAILED: 'The storage of the server failed. Try again {when}.',
  error_STREAM_INTERRUPTED: 'The connection to the model API broke. Try again {when}.',
  error_TIMEOUT: 'The answer took too long.',
  error_TOO_MANY_REQUESTS: 'Too many requests. Try again {when}.',
  error_MODEL_UNKNOWN: 'The model API does not know this model. Choose another model.',
  error_REMOTE_AGENT_FAILED: 'The agent on the other server failed.',
  error_RUN_INTERRUPTED: 'The server was interrupted during the answer.',
  error_STORAGE_QUOTA_EXCEEDED:
    'The storage that the server gives you is full. Delete conversations that you no longer need.',
  agentBroken: 'The agent cannot run: its spec is broken.',
  conversationFull:
    'This conversation is as long as it may be. Go on in a new chat, or branch off from an earlier message.',
  largerThanModelTakes:
    'This conversation, with its files, is larger than the model API takes. Send fewer or smaller files, or go on in a new chat.',
  refused: 'The model API refused the request.',
  serverFailed: 'The server failed to process the request. Its log has the reason.',
  bytes: '{count} bytes',
  soon: 'in a moment',
  inSeconds: 'in {count} seconds',
  inMinutes: 'in {count} minutes',
  inHours: 'in {count} hours',
} as const
