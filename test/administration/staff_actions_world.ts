import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Test } from 'tap'
import { createCommandLine, type CommandLine } from '../cli/command.ts'
import type { Browser } from '../support/browser.ts'
import { person, sql, type Person, type PersonOptions } from '../support/people.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { staffMember } from './staff_fixtures.ts'

/** Where actions are taken: a server, its owner with token and browser, and the command line. */
export interface World {
  readonly server: TestServer
  readonly owner: Person
  readonly browser: Browser
  readonly csrf: string
  readonly ctl: CommandLine
}

/** What an action is about: the values for the placeholders of its ways. */
export type Subject = Readonly<Record<string, string>>
export type Make = (world: World) => Promise<Subject>

export async function createWorld(t: Test): Promise<World> {
  const server = await startServer(t)
  const { person: owner, browser } = await staffMember(t, server, 'owner')
  const csrf = (await browser.get('/admin/rules')).forms[0]?.fields['authenticity_token'] ?? ''
  return { server, owner, browser, csrf, ctl: await createCommandLine(t, server.databaseUrl) }
}

const unique = (prefix = 'x'): string => prefix + randomBytes(4).toString('hex')

/** The first row of a statement, as texts. */
export async function row({ server }: World, text: string, values: unknown[] = []): Promise<Subject> {
  const [found = {}] = await sql(server, text, values)
  return Object.fromEntries(Object.entries(found).map(([key, value]) => [key, String(value)]))
}

/** A subject of one row that is inserted; `returning` gives its placeholders. */
export const inserted =
  (text: string): Make =>
  world =>
    row(world, text.replaceAll('UNIQUE', unique()))

export const nothing: Make = () => Promise.resolve({ unique: unique() })

export const member =
  (options: PersonOptions = {}): Make =>
  async ({ server }) => {
    const { id, userId, username } = await person(server, 'member', options)
    return { id, userId, username, unique: unique() }
  }

export const pending = member({ user: { approved: false } })
export const unconfirmed = member({ user: { confirmed_at: null } })

/** A report of somebody; `target` is reported. */
export const report =
  (columns = ''): Make =>
  async world => {
    const [reporter, target] = [await member()(world), await member()(world)]
    const { id = '' } = await row(
      world,
      `insert into reports (account_id, target_account_id, category, comment, status_ids) values ($1, $2, 'other', '', '{}') returning id`,
      [reporter['id'], target['id']],
    )
    if (columns !== '') await row(world, `update reports set ${columns} where id = $1`, [id])
    return { id, target: target['id'] ?? '', owner: world.owner.username }
  }

/** A status of somebody. */
export const status: Make = async world => {
  const author = await person(world.server, 'author')
  const posted = await author.postStatus('posted')
  await author.close()
  return { id: posted.id, account: author.id, username: author.username, unique: unique() }
}

/** A report of a status. */
export const reportedStatus: Make = async world => {
  const { id: posted = '', account, username = '' } = await status(world)
  const reporter = await member()(world)
  const { id = '' } = await row(
    world,
    `insert into reports (account_id, target_account_id, category, comment, status_ids)
     values ($1, $2, 'other', '', array[$3::bigint]) returning id`,
    [reporter['id'], account, posted],
  )
  return { id, status: posted, username, account: account ?? '' }
}

export const appeal: Make = async world => {
  const { id } = await member()(world)
  return row(
    world,
    `with strike as (insert into account_warnings (target_account_id, action, text) values ($1, 'none', '') returning id)
     insert into appeals (account_id, account_warning_id, text) select $1, id, 'x' from strike returning id`,
    [id],
  )
}

/** A note about somebody, or about a report. */
export const note =
  (kind: 'account' | 'report'): Make =>
  async world => {
    const about = await (kind === 'account' ? member() : report())(world)
    const column = kind === 'account' ? 'target_account_id' : 'report_id'
    const { id = '' } = await row(
      world,
      `insert into moderation_notes (account_id, ${column}, content) values ($1, $2, 'x') returning id`,
      [world.owner.id, about['id']],
    )
    return { id: about['id'] ?? '', note: id }
  }

/** A file with this text, whose name is the placeholder `file`. */
export const file =
  (text: string, more: Make = nothing): Make =>
  async world => {
    const found = await more(world)
    const name = path.join(world.ctl.folder, unique('file'))
    await writeFile(name, text.replaceAll('UNIQUE', unique()))
    return { ...found, file: name }
  }

const IMAGE = `'{"key": "emojis/00/00/0000000000000000000000000000.png", "static_key": "emojis/00/00/0000000000000000000000000000.png", "type": "image/png"}'`
export const emoji = inserted(
  `insert into custom_emojis (shortcode, image, category) values ('UNIQUE', ${IMAGE}, 'c') returning id, shortcode`,
)
export const failedJob = inserted(
  `select (graphile_worker.add_job('test.unknown', '{}'::json, run_at => now() + interval '1 day')).id as id`,
)
export const tag = inserted(`insert into tags (name, display_name) values ('UNIQUE', 'UNIQUE') returning id, name`)
export const link = inserted(
  `insert into preview_cards (url, type) values ('https://UNIQUE.example/', 'link') returning id, url`,
)
export const publisher = inserted(`insert into link_publishers (domain) values ('UNIQUE.example') returning id, domain`)
