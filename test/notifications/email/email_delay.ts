import { sql } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'

/** Ends the delay of two minutes of all e-mails about notifications. */
export const endEmailDelay = (server: TestServer): Promise<unknown> =>
  sql(
    server,
    `with due as (
       select graphile_worker.reschedule_jobs(array_agg(j.id), run_at => now()) from graphile_worker.jobs j
       where j.task_identifier = 'notification_mail.begin'
     ), rounds as (
       delete from email_rounds
     ), waiting as (
       update waiting_emails set due_at = now()
     )
     select count(*), pg_notify('jobs:insert', '{"count": 1}') from due`,
  )
