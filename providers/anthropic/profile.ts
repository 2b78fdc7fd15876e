import type { Profile } from '@braidwork/model-api'

export const ANTHROPIC: Profile = {
  name: 'anthropic',
  title: 'Anthropic',
  variable: 'ANTHROPIC_API_KEY',
  baseUrl: 'https://api.anthropic.com',
}
