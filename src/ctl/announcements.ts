import type { Command } from 'commander'
import { profileContext } from '../accounts/index.ts'
import { publishAnnouncements } from '../announcements/index.ts'
import { c, query } from '../database/index.ts'
import { parseId } from '../id.ts'
import { enqueue } from '../jobs/index.ts'
import type { Services } from '../services.ts'
import { formatNote } from '../text/index.ts'
import { flag } from './flag.ts'
import { Refusal } from './refusal.ts'
import type { Session } from './session.ts'
import { table } from './table.ts'

const allAnnouncements = query(
  'ctl/announcements',
  {},
  {
    id: c.id,
    text: c.text,
    published: c.boolean,
    all_day: c.boolean,
    starts_at: c.nullable(c.timestamp),
    ends_at: c.nullable(c.timestamp),
    scheduled_at: c.nullable(c.timestamp),
    created_at: c.timestamp,
  },
)
const addAnnouncement = query(
  'ctl/add_announcement',
  {
    text: c.text,
    content: c.text,
    starts_at: c.nullable(c.timestamp),
    ends_at: c.nullable(c.timestamp),
    all_day: c.boolean,
    published: c.boolean,
    scheduled_at: c.nullable(c.timestamp),
  },
  { id: c.id, events: c.events },
)
const editAnnouncement = query(
  'ctl/edit_announcement',
  { announcement: c.id, text: c.text, content: c.text },
  { id: c.id, events: c.events },
)
const publishAnnouncement = query(
  'ctl/publish_announcement',
  { announcement: c.id, published: c.boolean },
  { id: c.id, events: c.events },
)
const deleteAnnouncement = query('ctl/delete_announcement', { announcement: c.id }, { id: c.id, events: c.events })

interface CreateOptions {
  startsAt?: string
  endsAt?: string
  publishAt?: string
  allDay?: boolean
  draft?: boolean
}

/** The HTML of an announcement: addresses, mentions of known accounts and hashtags become links. @throws Refusal */
async function formatAnnouncement(services: Services, text: string): Promise<string> {
  if (text.trim() === '') throw new Refusal("Text can't be blank")
  return formatNote(text, await profileContext(services, [text]))
}

/** @throws Refusal */
function readTime(option: string, text: string | undefined): Date | null {
  if (text === undefined) return null
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new Refusal(`${option} must be a date and time, such as 2030-01-31T12:00:00Z`)
  return time
}

interface Times {
  starts_at: Date | null
  ends_at: Date | null
  scheduled_at: Date | null
}

/** @throws Refusal */
function readTimes(options: CreateOptions): Times {
  const starts_at = readTime('--starts-at', options.startsAt)
  const ends_at = readTime('--ends-at', options.endsAt)
  const scheduled_at = readTime('--publish-at', options.publishAt)
  if ((starts_at === null) !== (ends_at === null)) throw new Refusal('Use --starts-at and --ends-at together')
  if (starts_at && ends_at && ends_at <= starts_at) throw new Refusal('--ends-at must be after --starts-at')
  if (scheduled_at && options.draft === true) throw new Refusal('Use either --draft or --publish-at')
  return { starts_at, ends_at, scheduled_at }
}

async function create(session: Session, text: string, options: CreateOptions): Promise<void> {
  const times = readTimes(options)
  const services = await session.services()
  const content = await formatAnnouncement(services, text)
  const waits = times.scheduled_at !== null && times.scheduled_at.getTime() > Date.now()
  const id = await services.database.transaction(async transaction => {
    const made = await transaction.one(addAnnouncement, {
      text,
      content,
      ...times,
      all_day: options.allDay === true,
      published: options.draft !== true && !waits,
    })
    if (made && waits && times.scheduled_at) {
      const key = `announcements.publish:${made.id}`
      await enqueue(transaction, publishAnnouncements, {}, { at: times.scheduled_at, key })
    }
    return made?.id ?? ''
  })
  session.say(`OK, announcement ${id}`)
}

async function edit(session: Session, id: string, text: string): Promise<void> {
  const announcement = parseId(id)
  const services = await session.services()
  const content = await formatAnnouncement(services, text)
  const done = announcement && (await services.database.one(editAnnouncement, { announcement, text, content }))
  if (!done) throw new Refusal('No such announcement')
  session.say('OK')
}

const shown = (time: Date | null): string => time?.toISOString().slice(0, 16).replace('T', ' ') ?? '-'

async function list(session: Session): Promise<void> {
  const { database } = await session.services()
  const rows = (await database.run(allAnnouncements, {})).map(row => [
    row.id,
    row.published ? 'published' : row.scheduled_at ? `at ${shown(row.scheduled_at)}` : 'draft',
    shown(row.starts_at),
    shown(row.ends_at),
    row.text.replace(/\s+/g, ' '),
  ])
  for (const line of table(['ID', 'STATE', 'STARTS (UTC)', 'ENDS (UTC)', 'TEXT'], rows)) session.say(line)
}

async function change(session: Session, id: string, what: 'publish' | 'unpublish' | 'delete'): Promise<void> {
  const announcement = parseId(id)
  const { database } = await session.services()
  const done =
    announcement === undefined
      ? undefined
      : what === 'delete'
        ? await database.one(deleteAnnouncement, { announcement })
        : await database.one(publishAnnouncement, { announcement, published: what === 'publish' })
  if (!done) throw new Refusal('No such announcement')
  session.say('OK')
}

/** What the server tells everybody. */
export function addAnnouncements(program: Command, session: Session): void {
  const group = program.command('announcements').description('what the server tells everybody')
  const creation = group
    .command('create <text>')
    .description('publish an announcement')
    .option('--starts-at <time>', 'when what it is about begins; with --ends-at')
    .option('--ends-at <time>', 'when it ends: the announcement is taken back then')
    .option('--publish-at <time>', 'when it is published, instead of at once')
  flag(creation, '--all-day', 'clients show dates without times')
  flag(creation, '--draft', 'do not publish it yet')
  creation.action((text: string, options: CreateOptions) => create(session, text, options))
  group
    .command('edit <id> <text>')
    .description('give an announcement another text')
    .action((id: string, text: string) => edit(session, id, text))
  group
    .command('list')
    .description('all announcements')
    .action(() => list(session))
  for (const [what, does] of [
    ['publish', 'show an announcement'],
    ['unpublish', 'take an announcement back'],
    ['delete', 'delete an announcement'],
  ] as const) {
    group
      .command(`${what} <id>`)
      .description(does)
      .action((id: string) => change(session, id, what))
  }
}
