-- add_moderation: adds reports, strikes, appeals, entries of the audit log and people who wait for
-- approval, so that the staff's pages have something to show. Half of the reports are resolved, and
-- each eighth led to a strike. The same ids give the same rows.
-- $1 accounts bigint[]
-- $2 reports integer
-- $3 newcomers integer
-- $4 until timestamptz
-- rows: one
-- plan: the statuses of the given accounts by index; everything else is small
with reported as materialized (
  select s.account_id, s.id as status_id, row_number() over (order by md5(s.id::text)) as n
  from unnest($1::bigint[]) a (id)
  cross join lateral (
    select p.id, p.account_id from statuses p
    where p.account_id = a.id and p.deleted_at is null and p.reblog_of_id is null and p.visibility = 'public'
    order by p.id desc
    limit 1
  ) s
  order by md5(s.id::text)
  limit (select $2::integer)
), filed as (
  insert into reports (account_id, target_account_id, category, comment, status_ids, created_at, updated_at, action_taken_at)
  select
    reporter.id, r.account_id, (array['spam', 'violation', 'other', 'legal'])[1 + r.n % 4],
    (array['Please have a look at this.', 'The third time this week.', 'This is an advertisement.', ''])[1 + r.n % 4],
    array[r.status_id], $4::timestamptz - r.n * interval '7 hours', $4::timestamptz - r.n * interval '7 hours',
    case when r.n % 2 = 0 then $4::timestamptz - r.n * interval '7 hours' + interval '3 hours' end
  from reported r
  cross join lateral (
    select other.id from unnest($1::bigint[]) with ordinality other (id, place)
    where other.id <> r.account_id and other.place % 7 = r.n % 7
    order by md5(other.id::text || r.n::text)
    limit 1
  ) reporter
  returning reports.id, reports.target_account_id, reports.status_ids, reports.action_taken_at
), struck as (
  insert into account_warnings (target_account_id, action, text, report_id, status_ids, created_at, updated_at)
  select
    f.target_account_id, 'none', 'Please keep to the rules of this server.', f.id, f.status_ids, f.action_taken_at, f.action_taken_at
  from filed f
  where f.action_taken_at is not null and f.id % 4 = 0
  returning account_warnings.id, account_warnings.target_account_id, account_warnings.created_at
), appealed as (
  insert into appeals (account_id, account_warning_id, text, created_at)
  select k.target_account_id, k.id, 'I did not mean it that way.', k.created_at + interval '1 hour'
  from struck k
  where k.id % 2 = 0
), logged as (
  insert into admin_action_logs (action, target_type, target_id, target_name, created_at)
  select done.action, done.target_type, done.target_id, done.target_name, done.created_at
  from (
    select 'resolve' as action, 'Report' as target_type, f.id as target_id, '#' || f.id as target_name, f.action_taken_at as created_at
    from filed f
    where f.action_taken_at is not null
    union all
    select 'create', 'AccountWarning', k.id, handle_of(a), k.created_at from struck k join accounts a on a.id = k.target_account_id
  ) done
  order by done.created_at
), arrived as (
  insert into accounts (id, username, display_name, created_at)
  select
    snowflake_at($4::timestamptz), 'newcomer' || (known.amount + n), 'Newcomer ' || (known.amount + n), $4::timestamptz
  from generate_series(1, $3::integer) n
  cross join (select count(*) as amount from accounts a where a.username like 'newcomer%') known
  returning accounts.id, accounts.username
), counted as (
  insert into account_stats (account_id) select arrived.id from arrived
)
insert into users (account_id, email, password_hash, created_at, confirmed_at, approved, sign_up_reason, locale)
select
  arrived.id, arrived.username || '@seed.example', '-', $4::timestamptz, $4::timestamptz, false,
  'A friend told me about this server, and I would like to join.', 'en'
from arrived
returning users.id
