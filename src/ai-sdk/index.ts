export { asLanguageModel, type LanguageModelOptions } from './language-model.ts'
export type { LanguageModel5, LanguageModel6, LanguageModel7 } from './models.ts'
