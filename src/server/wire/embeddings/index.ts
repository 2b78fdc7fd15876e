export { embeddingsPieces } from './answer.ts'
export { decodeEmbeddings, type EmbeddingsRequest } from './request.ts'
