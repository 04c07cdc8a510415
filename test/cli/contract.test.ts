import assert from 'node:assert/strict'
import { test } from 'tap'
import type { Command } from 'commander'
import { openCliContext } from '../../src/cli/cli_context.ts'
import { buildProgram } from '../../src/cli/program.ts'

/** The operator commands of the API's contract, with the options that have an effect here. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'accounts create': ['email', 'confirmed', 'role', 'approve', 'reattach', 'force'],
  'accounts modify': [
    'role',
    'remove-role',
    'email',
    'confirm',
    'enable',
    'disable',
    'approve',
    'disable-2fa',
    'reset-password',
  ],
  'accounts delete': ['email', 'dry-run'],
  'accounts approve': ['all', 'number'],
  'accounts backup': [],
  'accounts follow': ['concurrency', 'verbose'],
  'accounts unfollow': ['concurrency', 'verbose'],
  'accounts reset-relationships': ['follows', 'followers'],
  'accounts rotate': ['all'],
  'accounts cull': ['concurrency', 'dry-run'],
  'accounts prune': ['concurrency', 'dry-run'],
  'accounts merge': ['force'],
  'accounts migrate': ['replay', 'target', 'force'],
  'accounts refresh': ['all', 'domain', 'concurrency', 'verbose', 'dry-run'],
  'settings registrations open': [],
  'settings registrations approved': ['require-reason'],
  'settings registrations close': [],
  'domains purge': [
    'limited-federation-mode',
    'by-uri',
    'include-subdomains',
    'purge-domain-blocks',
    'concurrency',
    'verbose',
    'dry-run',
  ],
  'domains crawl': ['format', 'exclude-suspended', 'concurrency'],
  'media remove': [
    'days',
    'prune-profiles',
    'remove-headers',
    'include-follows',
    'keep-interacted',
    'concurrency',
    'verbose',
    'dry-run',
  ],
  'media remove-orphans': ['start-after', 'prefix', 'fix-permissions', 'dry-run'],
  'media refresh': ['account', 'domain', 'status', 'days', 'force', 'concurrency', 'verbose', 'dry-run'],
  'media usage': [],
  'media lookup': [],
  'cache clear': [],
  'cache recount': ['concurrency', 'verbose'],
  'feeds build': ['all', 'skip-filled-timelines', 'concurrency', 'verbose', 'dry-run'],
  'feeds clear': [],
  'email_domain_blocks list': ['only-blocked', 'only-with-approval'],
  'email_domain_blocks add': ['with-dns-records', 'allow-with-approval'],
  'email_domain_blocks remove': [],
  'ip_blocks add': ['severity', 'comment', 'duration', 'force'],
  'ip_blocks remove': ['force'],
  'ip_blocks export': ['format'],
  'canonical_email_blocks find': [],
  'canonical_email_blocks remove': [],
  'emoji import': ['prefix', 'suffix', 'overwrite', 'unlisted', 'category'],
  'emoji export': ['category', 'overwrite'],
  'emoji purge': ['remote-only', 'suspended-only'],
  'statuses remove': [
    'days',
    'batch-size',
    'continue',
    'clean-followed',
    'skip-status-remove',
    'skip-media-remove',
    'compress-database',
  ],
  'preview_cards remove': ['days', 'link', 'concurrency', 'verbose', 'dry-run'],
  'self-destruct': [],
  version: [],
  migrate: [],
  secret: [],
  'webpush generate-vapid-key': [],
}

/** Every command without subcommands, by its full name. */
function leaves(command: Command, names: readonly string[] = []): [string, Command][] {
  if (command.commands.length === 0) return [[names.join(' '), command]]
  return command.commands.flatMap(one => leaves(one, [...names, one.name()]))
}

test('the commands of the contract exist, with their options and a description', async () => {
  const program = buildProgram(openCliContext({}, { output: process.stdout, error: process.stderr }), {
    output: process.stdout,
    error: process.stderr,
  })
  const known = new Map(leaves(program))
  const missing: string[] = []
  for (const [name, options] of Object.entries(COMMANDS)) {
    const command = known.get(name)
    if (!command) missing.push(name)
    for (const option of command ? options : [])
      if (!command?.options.some(({ long }) => long === `--${option}`)) missing.push(`${name} --${option}`)
  }
  assert.deepEqual(missing, [])
  for (const [name, command] of known) assert.ok(command.description() !== '', name)
})
