import type { Command } from 'commander'
import { c, query } from '../database/index.ts'
import { parseId, type Id } from '../id.ts'
import type { Services } from '../services.ts'
import { formatNote, recognise } from '../text/index.ts'
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
  },
  { id: c.id, events: c.events },
)
const publishAnnouncement = query(
  'ctl/publish_announcement',
  { announcement: c.id, published: c.boolean },
  { id: c.id, events: c.events },
)
const deleteAnnouncement = query('ctl/delete_announcement', { announcement: c.id }, { id: c.id, events: c.events })
const mentioned = query(
  'ctl/mentioned',
  { usernames: c.texts, domains: c.texts },
  { username: c.text, domain: c.nullable(c.text), url: c.nullable(c.text) },
)

interface CreateOptions {
  startsAt?: string
  endsAt?: string
  allDay?: boolean
  draft?: boolean
}

/** The HTML of an announcement: addresses, mentions of known accounts and hashtags become links. */
async function formatAnnouncement({ database, config }: Services, text: string): Promise<string> {
  const named = recognise(text).flatMap(entity => (entity.kind === 'mention' ? [entity] : []))
  const found = await database.run(mentioned, {
    usernames: named.map(entity => entity.username),
    domains: named.map(entity => entity.domain ?? ''),
  })
  return formatNote(text, {
    mentions(username, domain) {
      const same = (a: string | null, b: string | null): boolean => (a ?? '').toLowerCase() === (b ?? '').toLowerCase()
      const account = found.find(row => same(row.username, username) && same(row.domain, domain))
      return account && { ...account, url: account.url ?? `${config.publicUrl}/@${account.username}` }
    },
    tagUrl: name => `${config.publicUrl}/tags/${encodeURIComponent(name)}`,
  })
}

/** @throws Refusal */
function readTime(option: string, text: string | undefined): Date | null {
  if (text === undefined) return null
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new Refusal(`${option} must be a date and time, such as 2030-01-31T12:00:00Z`)
  return time
}

async function create(session: Session, text: string, options: CreateOptions): Promise<void> {
  if (text.trim() === '') throw new Refusal("Text can't be blank")
  const startsAt = readTime('--starts-at', options.startsAt)
  const endsAt = readTime('--ends-at', options.endsAt)
  if ((startsAt === null) !== (endsAt === null)) throw new Refusal('Use --starts-at and --ends-at together')
  if (startsAt && endsAt && endsAt <= startsAt) throw new Refusal('--ends-at must be after --starts-at')
  const services = await session.services()
  const made = await services.database.one(addAnnouncement, {
    text,
    content: await formatAnnouncement(services, text),
    starts_at: startsAt,
    ends_at: endsAt,
    all_day: options.allDay === true,
    published: options.draft !== true,
  })
  session.say(`OK, announcement ${made?.id ?? ''}`)
}

const shown = (time: Date | null): string => time?.toISOString().slice(0, 16).replace('T', ' ') ?? '-'

async function list(session: Session): Promise<void> {
  const { database } = await session.services()
  const rows = (await database.run(allAnnouncements, {})).map(row => [
    row.id,
    row.published ? 'published' : 'draft',
    shown(row.starts_at),
    shown(row.ends_at),
    row.text.replace(/\s+/g, ' '),
  ])
  for (const line of table(['ID', 'STATE', 'STARTS (UTC)', 'ENDS (UTC)', 'TEXT'], rows)) session.say(line)
}

async function change(session: Session, id: string, what: 'publish' | 'unpublish' | 'delete'): Promise<void> {
  const announcement: Id | undefined = parseId(id)
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
  flag(creation, '--all-day', 'clients show dates without times')
  flag(creation, '--draft', 'do not publish it yet')
  creation.action((text: string, options: CreateOptions) => create(session, text, options))
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
