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
import { parseId } from '../core/id.ts'
import { CliError } from './cli_error.ts'
import { withCliError } from './with_cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { flag } from './flag.ts'

/** @throws CliError */
async function findById(context: CliContext, text: string): Promise<Webhook> {
  const { database } = await context.services()
  const id = parseId(text)
  const webhook = id === undefined ? undefined : await findWebhook(database, id)
  if (!webhook) throw new CliError(`There is no webhook ${text}`)
  return webhook
}

const parseEvents = (text: string): string[] => text.split(',').map(name => name.trim())

async function list(context: CliContext): Promise<void> {
  const { database } = await context.services()
  const rows = (await listWebhooks(database)).map(({ id, url, enabled, events, failures, last_error }) => [
    id,
    enabled ? 'enabled' : 'disabled',
    url,
    events.join(','),
    failures === 0 ? '-' : `${failures}: ${last_error ?? ''}`,
  ])
  context.printTable(['ID', 'STATE', 'URL', 'EVENTS', 'FAILURES'], rows)
}

async function create(context: CliContext, url: string, { events }: { events: string }): Promise<void> {
  const { database } = await context.services()
  const { id, secret } = await withCliError(createWebhook(database, null, { url, events: parseEvents(events) }))
  context.print(`Created the webhook ${id}`)
  context.print(`Secret: ${secret}`)
}

interface ModifyOptions {
  url?: string
  events?: string
  enable?: boolean
  disable?: boolean
}

async function modify(context: CliContext, id: string, options: ModifyOptions): Promise<void> {
  if (options.enable && options.disable) throw new CliError('Cannot specify both --enable and --disable')
  const webhook = await findById(context, id)
  const { database } = await context.services()
  const { url = webhook.url, events } = options
  if (options.url !== undefined || events !== undefined) {
    const draft = { url, events: events === undefined ? webhook.events : parseEvents(events) }
    await withCliError(updateWebhook(database, null, webhook.id, draft))
  }
  if (options.enable || options.disable) await setWebhookEnabled(database, null, webhook.id, options.enable === true)
  context.print('OK')
}

async function remove(context: CliContext, id: string): Promise<void> {
  const webhook = await findById(context, id)
  await deleteWebhook((await context.services()).database, null, webhook.id)
  context.print('OK')
}

async function test(context: CliContext, id: string): Promise<void> {
  const webhook = await findById(context, id)
  const outcome = await testWebhook(await context.services(), webhook)
  if (!outcome.delivered) throw new CliError(outcome.reason)
  context.print(`Delivered; the response has the status ${outcome.status}`)
}

async function rotate(context: CliContext, id: string): Promise<void> {
  const webhook = await findById(context, id)
  const secret = await rotateWebhookSecret((await context.services()).database, null, webhook.id)
  context.print(`Secret: ${secret ?? ''}`)
}

/** The commands on webhooks. */
export function addWebhooks(program: Command, context: CliContext): void {
  const names = WEBHOOK_EVENT_NAMES.join(', ')
  const group = program.command('webhooks').description('manage webhooks, URLs that receive events of this server')
  group
    .command('list')
    .description('list the webhooks with their failed attempts since the last successful one')
    .action(() => list(context))
  group
    .command('create <url>')
    .description('create a webhook and print the secret of its signatures')
    .requiredOption('--events <events>', `separated by commas: ${names}`)
    .action((url: string, options: { events: string }) => create(context, url, options))
  const modifyCommand = group
    .command('modify <id>')
    .description('change a webhook')
    .option('--url <url>', 'the new URL')
    .option('--events <events>', 'the new events, separated by commas')
  flag(modifyCommand, '--enable', 'enable deliveries')
  flag(modifyCommand, '--disable', 'disable deliveries')
  modifyCommand.action((id: string, options: ModifyOptions) => modify(context, id, options))
  group
    .command('delete <id>')
    .description('remove a webhook')
    .action((id: string) => remove(context, id))
  group
    .command('test <id>')
    .description('send a webhook.test event')
    .action((id: string) => test(context, id))
  group
    .command('rotate <id>')
    .description('replace the secret of a webhook and print the new one')
    .action((id: string) => rotate(context, id))
}
