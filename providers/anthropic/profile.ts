import type { Profile } from '../model-api/profile.ts'

export const ANTHROPIC: Profile = {
  name: 'anthropic',
  title: 'Anthropic',
  variable: 'ANTHROPIC_API_KEY',
  baseUrl: 'https://api.anthropic.com',
}
