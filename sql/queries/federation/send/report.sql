-- report: a report as other servers receive it, without the reporter. inboxes: those of the chosen
-- servers (forwarded_to): of the reported account, and of accounts to which the reported statuses
-- reply.
-- $1 report bigint
-- rows: none or one
-- plan: no sequential scan
with report as materialized (
  select r.id, r.comment, r.target_account_id, r.status_ids, r.collection_ids, r.forwarded_to from reports r where r.id = $1
), own as materialized (
  select a.uri, a.domain, a.inbox_url, a.shared_inbox_url
  from report join accounts a on a.id = report.target_account_id and a.domain is not null
)
select
  report.comment, own.uri as target,
  array(select s.uri from statuses s where s.id = any (report.status_ids) and s.uri is not null order by s.id) as statuses,
  array(select k.uri from collections k where k.id = any (report.collection_ids) and k.uri is not null order by k.id) as collections,
  array(
    select own.inbox_url where own.inbox_url <> '' and own.domain = any (report.forwarded_to)
    union
    select coalesce(nullif(a.shared_inbox_url, ''), a.inbox_url)
    from statuses s
    join accounts a on a.id = s.in_reply_to_account_id
    where s.id = any (report.status_ids) and a.domain = any (report.forwarded_to) and a.domain <> own.domain and a.inbox_url <> ''
  ) as inboxes
from report cross join own
