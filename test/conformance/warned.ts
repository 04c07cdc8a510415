import { sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'

/** Alice's notifications by moderators, the calendar and background tasks. */
export interface Warned {
  /** Year of her yearly report. */
  readonly year: string
  /** Id of a background task. */
  readonly refresh: string
}

/**
 * Adds notifications of the types that no other person causes, with their subjects, to alice's
 * world.
 */
export async function warn(server: TestServer, alice: Person, bob: Person, status: string): Promise<Warned> {
  await bob.post('/api/v1/reports', { account_id: alice.id, status_ids: [status], comment: 'loud' })
  await sql(
    server,
    `with report as (
       select r.id from reports r where r.account_id = $2 and r.target_account_id = $1
     ), warning as (
       insert into account_warnings (target_account_id, action, text, status_ids)
       values ($1, 'mark_statuses_as_sensitive', 'please', array[$3::bigint]) returning id
     ), appeal as (
       insert into appeals (account_id, account_warning_id, text) select $1, warning.id, 'no' from warning
     ), severance as (
       insert into severances (id, account_id, type, target_name) values (snowflake(), $1, 'domain_block', 'far.example') returning id
     ), annual as (
       insert into annual_reports (account_id, year, data, schema_version, share_key)
       values ($1, 2025, jsonb_build_object(
         'archetype', 'oracle', 'top_statuses', jsonb_build_object('by_reblogs', $3::text, 'by_favourites', null, 'by_replies', null),
         'time_series', '[{"month": 12, "statuses": 2, "followers": 1}]'::jsonb, 'top_hashtags', '[{"name": "x", "count": 2}]'::jsonb
       ), 2, 'key')
       returning id
     ), cause as (
       select 'admin.report' as type, report.id from report
       union all select 'moderation_warning', warning.id from warning
       union all select 'severed_relationships', severance.id from severance
       union all select 'annual_report', annual.id from annual
     )
     select notify($1, case when cause.type = 'admin.report' then $2::bigint else $1 end, cause.type, null, cause.id) from cause`,
    [alice.id, bob.id, status],
  )
  const [refresh] = await sql(server, 'insert into async_refreshes (key) values ($1) returning id::text', [
    `conformance:${alice.id}`,
  ])
  return { year: '2025', refresh: String(refresh?.['id']) }
}
