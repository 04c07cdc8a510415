-- reported_statuses: statuses that another server reports; answers_local: whether a status replies
-- to a local account; reportable: whether its author is local, and not hidden; visible: whether the
-- server may see it, because it is for everybody, is by or mentions an account there, or is for
-- followers of whom one is there. Who of its accounts reports is not known. The URIs of its
-- accounts begin with `origin`.
-- $1 uris text[]
-- $2 local_ids bigint[]
-- $3 domain text
-- $4 origin text
-- rows: one for each that exists, deleted ones too
-- plan: no sequential scan
with reported as materialized (
  select s.id, s.account_id, s.visibility, s.in_reply_to_account_id
  from statuses s
  where s.id in (
    select r.id from statuses r where r.uri = any ((select $1::text[])::text[])
    union all
    select l.id from statuses l where l.id = any ((select $2::bigint[])::bigint[]) and l.local
  )
), followed as materialized (
  select authors.account_id
  from (select distinct r.account_id from reported r where r.visibility = 'private') authors
  where exists (
    select
    from follows f
    join accounts a on a.id = f.account_id
    where f.target_account_id = authors.account_id and a.domain is not null and (a.domain = $3 or starts_with(a.uri, $4))
  )
)
select
  r.id, r.account_id,
  exists (select from accounts a where a.id = r.in_reply_to_account_id and a.domain is null) as answers_local,
  exists (
    select from accounts a
    where a.id = r.account_id and a.domain is null and a.suspended_at is null and a.deletion_requested_at is null
      and not a.pending
  ) as reportable,
  r.visibility in ('public', 'unlisted')
    or exists (select from followed where followed.account_id = r.account_id and r.visibility = 'private')
    or exists (
      select
      from (select r.account_id union all select m.account_id from mentions m where m.status_id = r.id) parties
      join accounts a on a.id = parties.account_id
      where a.domain is not null and (a.domain = $3 or starts_with(a.uri, $4))
    ) as visible
from reported r
