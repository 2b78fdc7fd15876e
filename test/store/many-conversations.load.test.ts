import { sqlite } from './backends.ts'
import { manyConversationsSuite } from './suites/many-conversations.ts'

manyConversationsSuite(sqlite())
