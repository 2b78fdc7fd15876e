export { A2A_CARD_PATH, a2aDialectFor, a2aRoutes } from './a2a/index.ts'
export { actionRoutes } from './actions.ts'
export { AG_UI_DIALECT, agUiRoutes } from './ag-ui.ts'
export { agentRoutes } from './agents.ts'
export { ANTHROPIC_DIALECT, anthropicRoutes } from './anthropic.ts'
export { CHAT_UI_DIALECT, chatUiRoutes } from './chat-ui.ts'
export { conversationRoutes } from './conversations.ts'
export { dryRunRoutes } from './dry-runs.ts'
export { embeddingsRoutes } from './embeddings.ts'
export { fileRoutes } from './files.ts'
export { healthRoutes, METRICS, metricsRoutes, PROBES, type Readiness } from './health.ts'
export { insightRoutes } from './insight.ts'
export {
  type McpConnection,
  McpGate,
  type McpStreams,
  mcpDialectFor,
  mcpRoutes,
} from './mcp/index.ts'
export { isAnthropic, modelRoutes } from './models.ts'
export { chatCompletionRoutes, OPENAI_DIALECT, RESPONSES_DIALECT } from './openai.ts'
export { pageRoutes } from './page.ts'
export { replayed } from './replayed.ts'
export { responsesRoutes } from './responses.ts'
export { runRoutes } from './runs.ts'
export { settingsRoutes } from './settings.ts'
