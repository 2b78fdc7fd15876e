export { type Exchange, readExchanges } from './exchange-file.ts'
export { recordedApi } from './recorded-api.ts'
export { type Recorder, recordExchanges } from './recorder.ts'
export { EXCHANGES_SCHEMA } from './schema.ts'
