import { isObject, type ToolChoice } from '@braidwork/plugin'
import {
  type ClientTool,
  type Fields,
  flatName,
  NO_MCP_SERVERS,
  quoted,
  strictIn,
  type ToolSpelling,
  tame,
} from '../index.ts'

const CHOICES = ['auto', 'none', 'required'] as const
/** The longest name of a namespace, or of a tool in one. */
const LONGEST = 200

/**
 * Tools that the API itself runs. This server does not have them, and the model can answer without. They are ignored;
 * all other kinds are refused, because the client waits for their calls.
 */
const HOSTED =
  /^(?:web_search|file_search|code_interpreter|image_generation|tool_search|programmatic)/

/** Whether a tool is one that the API itself runs. */
export function isHosted(tool: unknown): boolean {
  return isObject(tool) && typeof tool['type'] === 'string' && HOSTED.test(tool['type'])
}

interface Chosen {
  readonly choice: ToolChoice | undefined
  /** The names of the tools that it allows, as the model is shown them. Undefined if it has no list of them. */
  readonly allowed?: readonly string[]
}

/**
 * Reads the tool choice.
 * @throws {HostError} REQUEST_INVALID if it names a tool that the API would run
 */
export function toolChoiceOf(fields: Fields): Chosen {
  if (typeof fields.any('tool_choice') === 'string') {
    return { choice: fields.oneOf('tool_choice', CHOICES) }
  }
  const given = fields.object('tool_choice')
  if (given === undefined) return { choice: undefined }
  const type = given.need('type')
  if (type === 'function' || type === 'custom') {
    return { choice: { tool: flatNameIn(given) } }
  }
  if (type === 'allowed_tools') {
    const allowed = (given.list('tools') ?? []).map((tool) => {
      tool.leave()
      return tool.any('name') === undefined ? '' : flatNameIn(tool)
    })
    return { choice: given.oneOf('mode', CHOICES), allowed }
  }
  throw given.fault('type', `is ${quoted(type)}, a tool that this server does not have`)
}

function flatNameIn(tool: Fields): string {
  return flatName(tool.text('namespace') || undefined, tool.need('name'))
}

/**
 * Reads a tool: a function, a custom tool, or a namespace of these. Returns the type of a tool that is ignored.
 * @throws {HostError} REQUEST_INVALID for a tool without which the client would not work
 */
export function toolsOf(tool: Fields): readonly ToolSpelling[] | string {
  const type = tool.need('type')
  if (type === 'function') return [functionTool(tool)]
  if (type === 'custom') return [customTool(tool)]
  if (type === 'namespace') return namespaceTools(tool)
  if (HOSTED.test(type)) return tame(type)
  if (type === 'mcp') throw tool.fault('type', `is mcp, and ${NO_MCP_SERVERS}`)
  const fault = `is ${quoted(type)}, a tool whose calls this server cannot hand over; define it as a function or a custom tool`
  throw tool.fault('type', fault)
}

/** @throws {HostError} REQUEST_INVALID for the form of Chat Completions, which has the fields one level below */
function functionTool(tool: Fields): ToolSpelling {
  if (tool.any('name') !== undefined || !isObject(tool.any('function')))
    return { fields: tool, schemaField: 'parameters' }
  const remedy = 'give "name", "description" and "parameters" on the tool itself'
  throw tool.fault('function', `is the form of /v1/chat/completions; ${remedy}`)
}

function namespaceTools(group: Fields): readonly ToolSpelling[] {
  const namespace = nameIn(group)
  const about = group.text('description') ?? ''
  return (group.list('tools') ?? []).map((fields, index) => {
    const type = fields.need('type')
    if (type !== 'function' && type !== 'custom') {
      throw fields.fault('type', `must be function or custom, not ${quoted(type)}`)
    }
    const word = { name: nameIn(fields), namespace }
    const schema = type === 'custom' ? customSchema(fields) : functionSchema(fields)
    // The model is told once what all tools of the namespace are about.
    const heard = index === 0 && about !== '' ? [`About ${namespace}: ${about}`] : []
    const description = [schema.description, ...heard].filter(Boolean).join('\n\n')
    return {
      fields,
      schemaField: 'parameters',
      tool: { ...schema, name: flatName(namespace, word.name), description },
      word: type === 'custom' ? { ...word, isCustom: true } : word,
    }
  })
}

function customTool(fields: Fields): ToolSpelling {
  const name = fields.need('name')
  const tool = { ...customSchema(fields), name }
  return { fields, schemaField: 'format', tool, word: { name, isCustom: true } }
}

type Unnamed = Omit<ClientTool, 'name'>

function functionSchema(fields: Fields): Unnamed {
  return {
    description: fields.text('description') ?? '',
    input_schema: fields.raw('parameters') ?? { type: 'object', properties: {} },
    ...strictIn(fields),
  }
}

/** Reads a tool that takes one text, which may have a grammar. The model is shown a function. */
function customSchema(fields: Fields): Unnamed {
  const format = fields.object('format')
  const type = format?.oneOf('type', ['text', 'grammar'])
  const grammar =
    format && type === 'grammar'
      ? ` It must match this grammar, in the syntax "${format.need('syntax')}":\n${format.need('definition')}`
      : ''
  const input = { type: 'string', description: `The whole input, as plain text.${grammar}` }
  return {
    description: fields.text('description') ?? '',
    input_schema: {
      type: 'object',
      properties: { input },
      required: ['input'],
      additionalProperties: false,
    },
  }
}

function nameIn(fields: Fields): string {
  const name = fields.need('name')
  if (name.length <= LONGEST) return name
  throw fields.fault('name', `must have at most ${LONGEST} characters`)
}
