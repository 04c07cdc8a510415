import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { addAccounts } from './accounts.ts'
import { addAnnouncements } from './announcements.ts'
import { addAppeals } from './appeals.ts'
import { addBackup } from './backup.ts'
import { addCaches } from './caches.ts'
import { addCheck } from './check/index.ts'
import { addCompletion } from './completion.ts'
import { addDatabase } from './database.ts'
import { addDeliveries } from './deliveries.ts'
import { addDomains } from './domains.ts'
import { addEmailBlocks } from './email_blocks.ts'
import { addEmailSubscriptions } from './email_subscriptions.ts'
import { addEmoji } from './emoji.ts'
import { addHealthCheck } from './health_check.ts'
import { addInspection } from './inspection.ts'
import { addInvites } from './invites.ts'
import { addIpBlocks } from './ip_blocks.ts'
import { addMail } from './mail.ts'
import { addJobs } from './jobs.ts'
import { addMedia } from './media.ts'
import { addModeration } from './moderation.ts'
import { addNotes } from './notes.ts'
import { addOwnerLink } from './owner_link.ts'
import { addPictures } from './pictures.ts'
import { addRelays } from './relays.ts'
import { addReports } from './reports.ts'
import { addRestart } from './restart.ts'
import { addRoles } from './roles.ts'
import { addRules } from './rules.ts'
import { addSecrets } from './secrets.ts'
import { addSeed } from './seed.ts'
import type { CliContext, Streams } from './cli_context.ts'
import { addSelfDestruct } from './self_destruct.ts'
import { addSettings } from './settings.ts'
import { addStatuses } from './statuses.ts'
import { addTags } from './tags.ts'
import { addTermsCommands } from './terms.ts'
import { addTop } from './top.ts'
import { addTrends } from './trends.ts'
import { addUsernameBlocks } from './username_blocks.ts'
import { addWebhooks } from './webhooks.ts'
import { addWarningPresets } from './warning_presets.ts'

function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const parsed: unknown = JSON.parse(text)
  return parsed !== null && typeof parsed === 'object' && 'version' in parsed ? String(parsed.version) : 'unknown'
}

/** The hint that follows a usage error. */
function usageHint(command: Command): string {
  const names: string[] = []
  for (let ancestor: Command | null = command; ancestor; ancestor = ancestor.parent) names.unshift(ancestor.name())
  return `Usage: ${names.join(' ')} ${command.usage()}   (more with --help)`
}

/** Commands that print lists; others declare their own option `--json`. */
const LISTING_COMMANDS = new Set(['list', 'routes', 'config', 'usage'])

/** Adds the option `--json` to every command that prints a list. */
function addJsonOption(command: Command, context: CliContext): void {
  for (const child of command.commands) addJsonOption(child, context)
  if (!LISTING_COMMANDS.has(command.name()) || command.options.some(({ long }) => long === '--json')) return
  let finish: (() => void) | undefined
  command
    .option('--json', 'as JSON: a list of objects named after the columns, or of texts')
    .hook('preAction', () => {
      if (command.opts()['json'] === true) finish = context.collectJson()
    })
    .hook('postAction', () => finish?.())
}

/**
 * Makes commander throw errors instead of exiting, and print the usage of the command after them.
 */
function configureErrors(command: Command, streams: Streams): void {
  command
    .configureOutput({
      writeOut: text => void streams.output.write(text),
      writeErr: text => void streams.error.write(text),
    })
    .exitOverride()
    .showHelpAfterError(usageHint(command))
  for (const child of command.commands) configureErrors(child, streams)
}

/** The complete command line. Each group of commands has its own file. */
export function buildProgram(context: CliContext, streams: Streams): Command {
  const program = new Command('millrace')
    .description('Commands for the operator of a Millrace server, running or not')
    .version(readVersion(), '-v, --version', 'print the version')
    .enablePositionalOptions()
  for (const add of [
    addAccounts,
    addOwnerLink,
    addReports,
    addModeration,
    addNotes,
    addAppeals,
    addWarningPresets,
    addSettings,
    addRules,
    addTermsCommands,
    addPictures,
    addInvites,
    addDomains,
    addDeliveries,
    addRelays,
    addEmailBlocks,
    addEmailSubscriptions,
    addUsernameBlocks,
    addIpBlocks,
    addRoles,
    addAnnouncements,
    addEmoji,
    addMedia,
    addMail,
    addStatuses,
    addTrends,
    addTags,
    addWebhooks,
    addJobs,
    addCaches,
    addSeed,
    addDatabase,
    addCheck,
    addRestart,
    addSelfDestruct,
    addInspection,
    addTop,
    addHealthCheck,
    addSecrets,
  ]) {
    add(program, context)
  }
  addBackup(program, context, streams)
  program
    .command('version')
    .description('print the version')
    .action(() => context.print(readVersion()))
  addCompletion(program, context)
  program.addHelpText(
    'after',
    '\nExit codes: 0 done, 1 refused or failed, 78 a setting from the environment is wrong, 130 interrupted.',
  )
  addJsonOption(program, context)
  configureErrors(program, streams)
  return program
}
