--! function relay_inboxes
--! function reachable_inboxes
-- The inboxes for activities about a local status or boost, each once; the shared inbox of a server
-- if it has one. Only accounts that may see the status are included: a private one is sent to
-- followers and mentioned accounts, a direct one to mentioned accounts only. Unavailable servers
-- are left out. Relays that the author does not block receive public statuses. A deletion is sent
-- to every account that may have a copy: also to those that have liked, boosted, quoted or replied
-- to the status, and to those that the author has blocked since. A mention by a limited author is
-- sent only to followers of the author.
create or replace function status_inboxes(status bigint) returns setof text
language sql stable as $$
  with sent as materialized (
    select s.id, s.account_id, s.visibility, s.visibility in ('public', 'unlisted') as open,
      s.visibility in ('public', 'unlisted') or s.deleted_at is not null as kept, s.in_reply_to_id, s.in_reply_to_account_id,
      s.reblog_of_id, s.created_at, s.deleted_at is not null as deleted, o.silenced_at is not null as limited
    from statuses s
    join accounts o on o.id = s.account_id
    where s.id = status
  ), reached as (
    select m.account_id
    from sent
    join mentions m on m.status_id = sent.id
    where not sent.limited or sent.deleted
      or exists (select from follows f where f.account_id = m.account_id and f.target_account_id = sent.account_id)
      or exists (select from follow_requests r where r.account_id = m.account_id and r.target_account_id = sent.account_id)
    union
    select f.account_id from sent join follows f on f.target_account_id = sent.account_id
    where sent.visibility in ('public', 'unlisted', 'private')
    union
    select o.account_id from sent join statuses o on o.id = sent.reblog_of_id
    union
    select sent.in_reply_to_account_id from sent where sent.open
    union
    select f.account_id
    from sent
    join accounts p on p.id = sent.in_reply_to_account_id and p.domain is null
    join follows f on f.target_account_id = p.id
    where sent.open
    union
    select q.quoted_account_id from sent join quotes q on q.status_id = sent.id where sent.open
    union
    select q.account_id from sent join quotes q on q.quoted_status_id = sent.id where sent.kept
    union
    select o.account_id from sent join statuses o on o.reblog_of_id = sent.id where sent.kept
    union
    select o.account_id from sent join statuses o on o.in_reply_to_id = sent.id where sent.kept
    union
    select f.account_id from sent join favourites f on f.status_id = sent.id where sent.kept
  )
  select distinct i.inbox
  from reached
  join reachable_inboxes() i on i.account_id = reached.account_id
  cross join sent
  where not exists (
      select from blocks b
      where b.account_id = sent.account_id and b.target_account_id = i.account_id and (not sent.deleted or b.created_at < sent.created_at)
    )
    and not exists (
      select from account_domain_blocks d
      where d.account_id = sent.account_id and d.domain = i.domain and (not sent.deleted or d.created_at < sent.created_at)
    )
  union
  select relay.inbox
  from sent
  cross join lateral relay_inboxes(sent.account_id, case when sent.deleted then sent.created_at end) relay (inbox)
  where sent.visibility = 'public'
$$;
