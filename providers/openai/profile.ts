import type { Profile } from '@braidwork/model-api'

export const OPENAI: Profile = {
  name: 'openai',
  title: 'OpenAI',
  variable: 'OPENAI_API_KEY',
  baseUrl: 'https://api.openai.com/v1',
}
