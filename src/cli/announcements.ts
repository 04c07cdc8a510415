import type { Command } from 'commander'
import {
  createAnnouncement,
  deleteAnnouncement,
  editAnnouncement,
  listAnnouncements,
  publishAnnouncement,
  type AnnouncementDraft,
} from '../instance/announcements/index.ts'
import { parseId, type Id } from '../core/id.ts'
import type { Services } from '../platform/services.ts'
import { flag } from './flag.ts'
import { addNotify } from './mailing.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { formatTime } from './format_time.ts'

interface CreateOptions {
  startsAt?: string
  endsAt?: string
  publishAt?: string
  allDay?: boolean
  draft?: boolean
}

/** @throws CliError */
function requireText(text: string): string {
  if (text.trim() === '') throw new CliError("Text can't be blank")
  return text
}

/** @throws CliError */
function parseTime(option: string, text: string | undefined): Date | null {
  if (text === undefined) return null
  const time = new Date(text)
  if (Number.isNaN(time.getTime()))
    throw new CliError(`${option} must be a date and time, such as 2030-01-31T12:00:00Z`)
  return time
}

/** @throws CliError */
function parseDraft(text: string, options: CreateOptions): AnnouncementDraft {
  const startsAt = parseTime('--starts-at', options.startsAt)
  const endsAt = parseTime('--ends-at', options.endsAt)
  const publishAt = parseTime('--publish-at', options.publishAt)
  if ((startsAt === null) !== (endsAt === null)) throw new CliError('Use --starts-at and --ends-at together')
  if (startsAt && endsAt && endsAt <= startsAt) throw new CliError('--ends-at must be after --starts-at')
  if (publishAt && options.draft === true) throw new CliError('Use either --draft or --publish-at')
  const publication = publishAt ?? (options.draft === true ? 'later' : 'now')
  return { text: requireText(text), startsAt, endsAt, isAllDay: options.allDay === true, publication }
}

async function create(context: CliContext, text: string, options: CreateOptions): Promise<void> {
  const draft = parseDraft(text, options)
  context.print(`OK, announcement ${await createAnnouncement(await context.services(), null, draft)}`)
}

async function list(context: CliContext): Promise<void> {
  const { database } = await context.services()
  const rows = (await listAnnouncements(database)).map(row => [
    row.id,
    row.published ? 'published' : row.scheduled_at ? `at ${formatTime(row.scheduled_at)}` : 'draft',
    formatTime(row.starts_at, '-'),
    formatTime(row.ends_at, '-'),
    row.text.replace(/\s+/g, ' '),
  ])
  context.printTable(['ID', 'STATE', 'STARTS (UTC)', 'ENDS (UTC)', 'TEXT'], rows)
}

type Change = (services: Services, announcement: Id) => Promise<boolean>

const CHANGES: readonly (readonly [name: string, description: string, change: Change])[] = [
  ['publish', 'publish an announcement', (services, id) => publishAnnouncement(services, null, id, true)],
  ['unpublish', 'unpublish an announcement', (services, id) => publishAnnouncement(services, null, id, false)],
  ['delete', 'delete an announcement', (services, id) => deleteAnnouncement(services, null, id)],
]

/** @throws CliError if the id does not exist */
async function change(context: CliContext, id: string, apply: Change): Promise<void> {
  const announcement = parseId(id)
  if (announcement === undefined || !(await apply(await context.services(), announcement))) {
    throw new CliError('No such announcement')
  }
  context.print('OK')
}

/** Announcements to all users. */
export function addAnnouncements(program: Command, context: CliContext): void {
  const group = program.command('announcements').description('manage announcements to all users')
  const createCommand = group
    .command('create <text>')
    .description('publish an announcement')
    .option('--starts-at <time>', 'start of the announced event; with --ends-at')
    .option('--ends-at <time>', 'end of the event; the announcement is unpublished then')
    .option('--publish-at <time>', 'publish at this time instead of now')
  flag(createCommand, '--all-day', 'show dates without times')
  flag(createCommand, '--draft', 'do not publish it yet')
  createCommand.action((text: string, options: CreateOptions) => create(context, text, options))
  group
    .command('edit <id> <text>')
    .description('change the text of an announcement')
    .action((id: string, text: string) => {
      const newText = requireText(text)
      return change(context, id, (services, announcement) =>
        editAnnouncement(services, null, announcement, { text: newText }),
      )
    })
  group
    .command('list')
    .description('list all announcements')
    .action(() => list(context))
  addNotify(group, context, 'announcement')
  for (const [name, description, apply] of CHANGES) {
    group
      .command(`${name} <id>`)
      .description(description)
      .action((id: string) => change(context, id, apply))
  }
}
