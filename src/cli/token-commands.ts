import { type Command, InvalidArgumentError } from 'commander'
import { addTo, configured } from './configured.ts'
import type { ConfigOptions } from './options.ts'
import type { TokensIssueOptions, TokensOptions } from './tokens.ts'

/** Adds the commands that issue, list and revoke the server's tokens. */
export function addTokens(program: Command, done: (status: number) => void): void {
  const tokens = program
    .command('tokens')
    .description('issue, list or revoke tokens for callers of the server, also while it runs')
  configured(tokens.command('issue'))
    .argument('<caller>', 'the id of the caller, to whom conversations belong')
    .description('store a new token, and print its secret once')
    .option(
      '--role <role>',
      'user, admin, or monitor, who may only read the metrics; by default user',
    )
    .option('--scope <text>', 'a scope that plugins see')
    .option('--for <model>', 'allow only this published model; may be repeated', addTo)
    .option(
      '--limit <key=number>',
      'a limit, such as requests_per_minute=60 or MODEL.tokens_per_day=1000; may be repeated',
      addTo,
    )
    .option('--no-host-tools', 'offer the model no tools of the host')
    .option('--expires <days>', 'let the token expire after so many days', days)
    .option('--json', 'print the token as JSON')
    .action(async (caller: string, options: TokensIssueOptions) => {
      done(await (await import('./tokens.ts')).tokensIssueCommand(caller, options))
    })
  configured(tokens.command('list'))
    .description('list the tokens, without their secrets')
    .option('--json', 'print them as JSON')
    .action(async (options: TokensOptions) => {
      done(await (await import('./tokens.ts')).tokensListCommand(options))
    })
  configured(tokens.command('revoke'))
    .argument('<token>', 'the id of the token')
    .description('revoke a token on all servers of the storage')
    .action(async (token: string, options: ConfigOptions) => {
      done(await (await import('./tokens.ts')).tokensRevokeCommand(token, options))
    })
}

function days(text: string): number {
  const number = Number(text)
  if (Number.isFinite(number) && number > 0) return number
  throw new InvalidArgumentError('It must be a number of days above 0.')
}
