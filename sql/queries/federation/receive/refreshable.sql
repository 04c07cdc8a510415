-- refreshable: the URI of a remote status. listed: whether it is public or unlisted; signer: for
-- any other status, a local account that may see it and signs the request.
-- $1 status bigint
-- rows: none when nobody here may see it, else one
-- plan: no sequential scan
with status as materialized (
  select s.account_id, s.uri, s.visibility in ('public', 'unlisted') as listed, (
    select m.account_id
    from mentions m
    join accounts a on a.id = m.account_id and a.domain is null and a.suspended_at is null and a.deletion_requested_at is null
    where m.status_id = s.id and s.visibility not in ('public', 'unlisted')
    limit 1
  ) as mentioned, (
    select a.id
    from follows f
    join accounts a on a.id = f.account_id and a.domain is null and a.suspended_at is null and a.deletion_requested_at is null
    where f.target_account_id = s.account_id and s.visibility = 'private'
    limit 1
  ) as follower
  from statuses s
  where s.id = $1 and not s.local and s.uri is not null and s.deleted_at is null and s.reblog_of_id is null
)
select status.account_id, status.uri, status.listed, coalesce(status.mentioned, status.follower) as signer
from status
where status.listed or status.mentioned is not null or status.follower is not null
