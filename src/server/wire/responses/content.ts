import type { FilePart, Part } from '@braidwork/plugin'
import { type Fields, fileAt, fileOf, type GivenFile, quoted, typeOfName } from '../index.ts'

/** Reads a string, or the parts of a list. */
export function contentOf(fields: Fields, name: string): readonly Part[] {
  const content = fields.textOrList(name)
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (content === undefined)
    throw fields.fault(name, 'is missing; give a string or a list of parts')
  return content.map(partOf)
}

function partOf(part: Fields): Part {
  switch (part.any('type')) {
    case 'input_text':
    case 'output_text':
    case 'text':
    case 'summary_text':
    case 'reasoning_text':
      return { type: 'text', text: part.text('text') ?? '' }
    case 'refusal':
      return { type: 'text', text: part.text('refusal') ?? '' }
    case 'input_image':
      return imagePart(part)
    case 'input_file':
      return filePart(part)
    default:
      throw part.fault('type', `is not a known type of content part: ${quoted(part.any('type'))}`)
  }
}

/** Reads the texts of a list of parts, joined to one string. */
export function textIn(fields: Fields, name: string): string {
  if (fields.any(name) === undefined) return ''
  const parts = contentOf(fields, name)
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

function imagePart(part: Fields): Part {
  refuseId(part)
  return taken(fileAt(part.need('image_url'), 'image/'), part, 'image_url')
}

function filePart(part: Fields): Part {
  refuseId(part)
  const name = part.text('filename')
  const file = fileIn(part, name)
  return name === undefined ? file : { ...file, name }
}

function fileIn(part: Fields, name: string | undefined): FilePart {
  const url = part.text('file_url')
  if (url !== undefined) return taken(fileAt(url), part, 'file_url')
  const data = part.need('file_data')
  const type = name === undefined ? undefined : typeOfName(name)
  const isPlain = !data.startsWith('data:') && type !== undefined
  return taken(isPlain ? fileOf(type, data) : fileAt(data), part, 'file_data')
}

function refuseId(part: Fields): void {
  if (part.any('file_id') === undefined) return
  throw part.fault(
    'file_id',
    'names a file that this server does not have; send the content of the file',
  )
}

/** Returns a file, or throws the fault of the field that contained it. */
export function taken(given: GivenFile, fields: Fields, name: string): FilePart {
  if ('file' in given) return given.file
  throw fields.fault(name, given.fault)
}
