import type { Command } from 'commander'
import {
  createWebhook,
  deleteWebhook,
  findWebhook,
  listWebhooks,
  rotateWebhookSecret,
  setWebhookEnabled,
  testWebhook,
  updateWebhook,
  WEBHOOK_EVENT_NAMES,
  type Webhook,
} from '../administration/webhooks/index.ts'
import { ApiError } from '../core/errors.ts'
import { parseId } from '../core/id.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { flag } from './flag.ts'

/** Converts a rejected webhook into a one-line error. @throws CliError */
async function refusing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 422) throw error
    throw new CliError(error.message.replace(/^Validation failed: /, ''), { cause: error })
  }
}

/** @throws CliError */
async function findById(session: CliContext, text: string): Promise<Webhook> {
  const { database } = await session.services()
  const id = parseId(text)
  const webhook = id === undefined ? undefined : await findWebhook(database, id)
  if (!webhook) throw new CliError(`There is no webhook ${text}`)
  return webhook
}

const eventsIn = (text: string): string[] => text.split(',').map(name => name.trim())

async function list(session: CliContext): Promise<void> {
  const { database } = await session.services()
  const rows = (await listWebhooks(database)).map(({ id, url, enabled, events, failures, last_error }) => [
    id,
    enabled ? 'enabled' : 'disabled',
    url,
    events.join(','),
    failures === 0 ? '-' : `${failures}: ${last_error ?? ''}`,
  ])
  session.printTable(['ID', 'STATE', 'URL', 'EVENTS', 'FAILURES'], rows)
}

async function create(session: CliContext, url: string, { events }: { events: string }): Promise<void> {
  const { database } = await session.services()
  const { id, secret } = await refusing(createWebhook(database, null, { url, events: eventsIn(events) }))
  session.print(`Created the webhook ${id}`)
  session.print(`Secret: ${secret}`)
}

interface ModifyOptions {
  url?: string
  events?: string
  enable?: boolean
  disable?: boolean
}

async function modify(session: CliContext, id: string, options: ModifyOptions): Promise<void> {
  if (options.enable && options.disable) throw new CliError('Cannot specify both --enable and --disable')
  const webhook = await findById(session, id)
  const { database } = await session.services()
  const { url = webhook.url, events } = options
  if (options.url !== undefined || events !== undefined) {
    const draft = { url, events: events === undefined ? webhook.events : eventsIn(events) }
    await refusing(updateWebhook(database, null, webhook.id, draft))
  }
  if (options.enable || options.disable) await setWebhookEnabled(database, null, webhook.id, options.enable === true)
  session.print('OK')
}

async function remove(session: CliContext, id: string): Promise<void> {
  const webhook = await findById(session, id)
  await deleteWebhook((await session.services()).database, null, webhook.id)
  session.print('OK')
}

async function test(session: CliContext, id: string): Promise<void> {
  const webhook = await findById(session, id)
  const outcome = await testWebhook(await session.services(), webhook)
  if (!outcome.delivered) throw new CliError(outcome.reason)
  session.print(`Delivered; the response has the status ${outcome.status}`)
}

async function rotate(session: CliContext, id: string): Promise<void> {
  const webhook = await findById(session, id)
  const secret = await rotateWebhookSecret((await session.services()).database, null, webhook.id)
  session.print(`Secret: ${secret ?? ''}`)
}

/** Webhooks: URLs of other programs that receive what happens on this server. */
export function addWebhooks(program: Command, session: CliContext): void {
  const names = WEBHOOK_EVENT_NAMES.join(', ')
  const group = program.command('webhooks').description('URLs that receive what happens on this server')
  group
    .command('list')
    .description('every webhook, with its failed attempts since the last successful one')
    .action(() => list(session))
  group
    .command('create <url>')
    .description('create a webhook, and print the secret of its signatures')
    .requiredOption('--events <events>', `separated by commas: ${names}`)
    .action((url: string, options: { events: string }) => create(session, url, options))
  const changing = group
    .command('modify <id>')
    .description('change a webhook')
    .option('--url <url>', 'the new URL')
    .option('--events <events>', 'the new events, separated by commas')
  flag(changing, '--enable', 'deliver again')
  flag(changing, '--disable', 'deliver nothing')
  changing.action((id: string, options: ModifyOptions) => modify(session, id, options))
  group
    .command('delete <id>')
    .description('remove a webhook')
    .action((id: string) => remove(session, id))
  group
    .command('test <id>')
    .description('send an event webhook.test')
    .action((id: string) => test(session, id))
  group
    .command('rotate <id>')
    .description('replace the secret of a webhook, and print the new one')
    .action((id: string) => rotate(session, id))
}
