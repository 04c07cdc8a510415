import { randomBytes } from 'node:crypto'
import { sql, type Person } from '../../support/people.ts'
import type { ServerAddress } from '../../support/server.ts'

/** A status with a picture, created without an upload. */
export async function sayWithMedia(author: Person, text: string): Promise<string> {
  const [made] = await sql(
    author.server,
    `insert into media_attachments (account_id, type, processing) values ($1, 'image', 'done') returning id::text as id`,
    [author.id],
  )
  return (await author.postStatus(text, { media_ids: [made?.['id']] })).id
}

/** A status of another server, as federation will store it. */
export async function arrive(
  server: ServerAddress,
  options: { ageHours?: number; tag?: string; withMedia?: boolean } = {},
): Promise<string> {
  const name = `remote_${randomBytes(6).toString('hex')}`
  const [row] = await sql(
    server,
    `with author as (
       insert into accounts (username, domain, uri) values ($1, 'far.example', 'https://far.example/' || $1) returning id
     ), stats as (insert into account_stats (account_id) select author.id from author)
     insert into statuses (id, account_id, local, uri, content, visibility)
     select snowflake_at(now() - $2 * interval '1 hour'), author.id, false, 'https://far.example/s/' || $1, '<p>far</p>', 'public'
     from author returning id::text`,
    [name, options.ageHours ?? 0],
  )
  await sql(
    server,
    `insert into events (kind, actor_id, status_id, data)
     select 'status.created', s.account_id, s.id, status_facts(s) || jsonb_build_object('tags', $2::text[], 'has_media', $3::boolean)
     from statuses s where s.id = $1`,
    [row?.['id'], options.tag === undefined ? [] : [options.tag], options.withMedia ?? false],
  )
  return String(row?.['id'])
}
