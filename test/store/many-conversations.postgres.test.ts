import { postgres } from './backends.ts'
import { manyConversationsSuite } from './suites/many-conversations.ts'

manyConversationsSuite(postgres())
