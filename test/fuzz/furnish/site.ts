import { sql } from '../../support/person.ts'
import type { Ground } from './ground.ts'

/** With which every operation is there. Owners of other worlds may have changed them since. */
const SETTINGS = {
  registrations_mode: 'open',
  email_subscriptions: true,
  show_domain_blocks: 'all',
  limited_federation_mode: false,
}

/** The base role and the owner's: nobody in a world has a second factor. */
const ROLES = [-99, 3]

const LAY_OUT = `
  with wanted as (
    insert into settings (key, value) select key, value from jsonb_each($1::jsonb)
    on conflict (key) do update set value = excluded.value where settings.value <> excluded.value
    returning key
  ), changed as (
    insert into events (kind, data) select 'settings.changed', jsonb_build_object('keys', jsonb_build_array(key)) from wanted
  ), roles_changed as (
    update roles set require_2fa = false where id = any ($2::bigint[]) and require_2fa
    returning id
  ), roles_logged as (
    insert into events (kind, object_id, data) select 'role.changed', id, '{}' from roles_changed
  ), fresh as (
    insert into announcements (text, content, published, published_at)
    select 'tea', '<p>tea</p>', true, now()
    where not exists (select from announcements where published)
    returning id
  ), told as (
    insert into events (kind, object_id) select 'announcement.published', id from fresh
  ), terms as (
    insert into terms_of_service (text, effective_date, published_at)
    values ('# Be kind', date '2026-01-02', now())
    on conflict do nothing
  )
  select id::text from fresh union all
  (select id::text from announcements where published order by id limit 3)`

/** Adds what belongs to the server and not to anybody, where it is missing. */
export async function addSite({ server, ids }: Pick<Ground, 'server' | 'ids'>): Promise<void> {
  for (const { id } of await sql(server, LAY_OUT, [JSON.stringify(SETTINGS), ROLES]))
    ids.put('announcement', String(id))
  ids.put('terms_date', '2026-01-02')
}
