import {
  isObject,
  type Message,
  type Part,
  type ToolCallPart,
  type ToolResultPart,
} from '@braidwork/plugin'
import { CallNames, type Fields, JoinedMessages, outputOfParts, quoted } from '../index.ts'
import { UNSIGNED } from './blocks.ts'
import { contentPart, marked, textPart } from './content.ts'

const ROLES = ['user', 'assistant', 'system'] as const

/** Decodes a history. The tool results of a user turn become a separate message before its other content. */
export function messagesOf(given: readonly Fields[]): readonly Message[] {
  const reading = { calls: new CallNames(), open: new Set<string>() }
  const messages = given.flatMap((fields) => turnOf(fields, reading))
  return reading.open.size === 0 ? messages : without(reading.open, messages)
}

interface Reading {
  readonly calls: CallNames
  /** The ids of calls that a host ran and whose results have not come. */
  readonly open: Set<string>
}

/** Removes calls of a host that a client sent without their results, as some do beside calls of their own. */
function without(open: ReadonlySet<string>, messages: readonly Message[]): readonly Message[] {
  const isOpen = (part: Part) => part.type === 'tool-call' && open.has(part.callId)
  return messages.map((message) => ({
    ...message,
    parts: message.parts.filter((part) => !isOpen(part)),
  }))
}

/** Decodes the system prompt: a string or a list of text blocks. */
export function systemOf(fields: Fields): readonly Message[] {
  const parts = blocksOf(fields, 'system', markedText)
  return parts.length === 0 ? [] : [{ role: 'system', parts }]
}

function turnOf(fields: Fields, reading: Reading): readonly Message[] {
  const role = fields.oneOf('role', ROLES)
  if (role === undefined)
    throw fields.fault('role', `is missing; it must be one of ${ROLES.join(', ')}`)
  if (fields.any('content') === undefined) {
    throw fields.fault('content', 'is missing; give a string or a list of blocks')
  }
  if (role === 'system') return [{ role, parts: blocksOf(fields, 'content', markedText) }]
  if (role === 'assistant') {
    // Clients send back all that an answer had.
    fields.leave()
    const parts = blocksOf(fields, 'content', (block) => assistantPart(block, reading))
    return apart(parts.filter((part) => !isNothing(part)))
  }
  const parts = blocksOf(fields, 'content', (block) => userPart(block, reading.calls))
  const results = parts.filter(({ type }) => type === 'tool-result')
  const rest = parts.filter(({ type }) => type !== 'tool-result')
  return [
    ...(results.length > 0 ? [{ role: 'tool' as const, parts: results }] : []),
    ...(rest.length > 0 || results.length === 0 ? [{ role, parts: rest }] : []),
  ]
}

/** Whether a part is thinking that no model can read: its text was omitted, and it has no signature of Anthropic's. */
function isNothing(part: Part): boolean {
  return part.type === 'reasoning' && part.text === '' && part.providerMetadata === undefined
}

/** Puts the results of calls that a host ran into messages of their own, between the parts of the assistant. */
function apart(parts: readonly Part[]): readonly Message[] {
  const turn = new JoinedMessages(['assistant', 'tool'])
  if (parts.length === 0) turn.add({ role: 'assistant', parts })
  for (const part of parts) {
    const isOfHost = part.type === 'tool-result' && !part.providerExecuted
    turn.add({ role: isOfHost ? 'tool' : 'assistant', parts: [part] })
  }
  return turn.messages
}

function blocksOf(fields: Fields, name: string, read: (block: Fields) => Part): readonly Part[] {
  const content = fields.textOrList(name) ?? []
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content.map(read)
}

function markedText(block: Fields): Part {
  return marked(textPart(block), block)
}

function userPart(block: Fields, calls: CallNames): Part {
  const isResult = block.any('type') === 'tool_result'
  return marked(isResult ? resultPart(block, calls) : contentPart(block), block)
}

function resultPart(block: Fields, calls: CallNames): ToolResultPart {
  const called = calls.answer(block, 'tool_use_id')
  const isError = block.flag('is_error') ?? false
  const output = outputOfParts(blocksOf(block, 'content', shownPart))
  return { type: 'tool-result', ...called, output, ...(isError ? { isError } : {}) }
}

/**
 * Decodes a content block of a result. The model has all tools from the start, also those that a client defers, so a
 * reference to one is a text for it.
 */
function shownPart(block: Fields): Part {
  if (block.any('type') !== 'tool_reference') return contentPart(block)
  return { type: 'text', text: `Tool ${quoted(block.need('tool_name'))} is loaded.\n` }
}

function assistantPart(block: Fields, { calls, open }: Reading): Part {
  const type = block.any('type')
  switch (type) {
    case 'text':
      return markedText(block)
    case 'thinking':
      return thinkingPart(block)
    case 'redacted_thinking':
      return reasoning('', { type, data: block.need('data') })
    case 'tool_use':
      return marked(callPart(block, calls), block)
    case 'mcp_tool_use':
      open.add(block.need('id'))
      return callPart(block, calls)
    case 'mcp_tool_result':
      open.delete(block.need('tool_use_id'))
      return resultPart(block, calls)
    case 'compaction':
      // A summary that Anthropic's API wrote before the conversation came here.
      return { type: 'text', text: block.text('content') ?? '' }
    case 'server_tool_use':
      return { ...callPart(block), providerExecuted: true, ...own({ type }) }
    default:
      return serverResultPart(block, type)
  }
}

function own(block: object): { readonly providerMetadata: { readonly anthropic: object } } {
  return { providerMetadata: { anthropic: { block } } }
}

function reasoning(text: string, block: object): Part {
  return { type: 'reasoning', text, ...own(block) }
}

/** Reasoning without a signature of Anthropic's does not come from its API, so it gets no provider metadata. */
function thinkingPart(block: Fields): Part {
  const text = block.text('thinking') ?? ''
  const signature = block.text('signature')
  const isSigned = signature !== undefined && signature !== '' && signature !== UNSIGNED
  return isSigned ? reasoning(text, { type: 'thinking', signature }) : { type: 'reasoning', text }
}

function callPart(block: Fields, calls?: CallNames): ToolCallPart {
  const callId = block.need('id')
  const name = block.need('name')
  const input = block.raw('input') ?? {}
  calls?.add(callId, name)
  return { type: 'tool-call', callId, name, input }
}

/** Decodes the result of a tool that the API executed itself, from an earlier assistant message. */
function serverResultPart(block: Fields, type: unknown): ToolResultPart {
  if (typeof type !== 'string' || !type.endsWith('_tool_result')) {
    throw block.fault('type', `is not a known block type of an assistant message: ${quoted(type)}`)
  }
  const callId = block.need('tool_use_id')
  const output = block.any('content') ?? null
  const isError = isObject(output) && String(output['type']).endsWith('_error')
  return {
    type: 'tool-result',
    callId,
    name: type.slice(0, -'_tool_result'.length),
    output,
    ...(isError ? { isError } : {}),
    providerExecuted: true,
    ...own({ type, tool_use_id: callId, content: output }),
  }
}
