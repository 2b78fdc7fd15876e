export { streamText } from '../../../scripts/replay/envelope.ts'
export {
  ReplayServer,
  type Reply,
  type SeenRequest,
} from '../../../scripts/replay/replay-server.ts'
export { jsonReply, piecesOf, streamReply } from '../../../scripts/replay/replies.ts'
