-- add: stores a report. Users with the permission manage_reports (or administrator) are notified,
-- and get an e-mail if they want one, unless another report about the account is open.
-- $1 reporter bigint
-- $2 target bigint
-- $3 application bigint
-- $4 category text
-- $5 comment text
-- $6 statuses bigint[]
-- $7 collections bigint[]
-- $8 rules bigint[]
-- $9 forwarded boolean
-- $10 forwarded_to text[]
-- rows: one; mails: how many e-mails will be sent
-- plan: no sequential scan of users, reports
with created as materialized (
  insert into reports (
    account_id, target_account_id, application_id, category, comment, status_ids, collection_ids, rule_ids, forwarded, forwarded_to
  )
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  returning reports.id, reports.target_account_id
), staff as materialized (
  select u.id, u.account_id, u.preferences
  from created
  join roles r on has_permission(r.permissions, 'manage_reports')
  join users u on u.role_id = r.id and u.confirmed_at is not null and u.approved and not u.disabled
  join accounts own on own.id = u.account_id and own.suspended_at is null and own.deletion_requested_at is null
  where u.account_id <> $1
    and not exists (
      select from reports other where other.target_account_id = created.target_account_id and other.action_taken_at is null
    )
  order by u.account_id
), logged as (
  insert into events (kind, actor_id, account_id, object_id)
  select 'report.created', $1, created.target_account_id, created.id from created
  returning event_json(events) as event
), notified as materialized (
  select notify(staff.account_id, $1, 'admin.report', null, created.id) as event from created cross join staff
), mailed as materialized (
  select enqueue('reports:mail', json_build_object('user', staff.id::text, 'report', created.id::text)) as job
  from created cross join staff
  where coalesce((staff.preferences -> 'notification_emails' ->> 'report')::boolean, true)
)
select
  created.id,
  (select count(mailed.job)::integer from mailed) as mails,
  (
    select jsonb_agg(every.event)
    from (select logged.event from logged union all select notified.event from notified where notified.event is not null) every
  ) as events
from created
