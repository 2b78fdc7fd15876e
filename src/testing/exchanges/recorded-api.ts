import type { ConfigLayer } from '@braidwork/core'
import { HostError } from '@braidwork/plugin'
import type { RecordedApi } from '../harness/index.ts'
import { type Exchange, readExchanges } from './exchange-file.ts'

/**
 * Reads the option `api` of a suite from a file of recorded exchanges: the first whole answer, and the first stream. If
 * there is only one of them, it answers all requests.
 * @param config the config with which the provider sends its requests to an address
 * @throws {HostError} RECORDING_INVALID if the file has no successful answer, or does not have the format
 */
export async function recordedApi(
  path: string,
  config: (url: string) => ConfigLayer,
): Promise<RecordedApi> {
  const exchanges = (await readExchanges(path)).filter(isAnswer)
  const streamed = exchanges.find(isStream)
  const whole = exchanges.find((exchange) => !isStream(exchange))
  const api = { config, ...headersOf(whole ?? streamed) }
  if (whole && streamed) return { ...api, whole: bodyOf(whole), streamed: piecesOf(streamed) }
  if (whole) return { ...api, whole: bodyOf(whole) }
  if (streamed) return { ...api, streamed: piecesOf(streamed) }
  throw new HostError(
    'RECORDING_INVALID',
    `${path}: no exchange has an answer with status 200 that ended. Record one that succeeds.`,
  )
}

function isAnswer({ request, response }: Exchange): boolean {
  return request.method === 'POST' && response.status < 300 && response.is_cut !== true
}

function isStream({ response }: Exchange): boolean {
  return !/\bjson\b/.test(response.headers?.['content-type'] ?? '')
}

function headersOf(exchange: Exchange | undefined): Pick<RecordedApi, 'headers'> {
  const { 'content-type': _, ...headers } = exchange?.response.headers ?? {}
  return { headers }
}

function piecesOf({ response }: Exchange): readonly string[] {
  if (response.encoding !== 'base64') return response.body
  return response.body.map((piece) => Buffer.from(piece, 'base64').toString('utf8'))
}

function bodyOf(exchange: Exchange): string {
  return piecesOf(exchange).join('')
}
