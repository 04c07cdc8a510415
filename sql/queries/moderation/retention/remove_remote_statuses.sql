-- remove_remote_statuses: deletes a batch of old remote statuses without any local relation: not
-- answering, boosting or quoting a local status, whose counters stay right; not answered, boosted,
-- quoted, favourited, bookmarked, pinned or voted in by a local account, not mentioning one, by an
-- account without local followers, not boosted by one that has some, and no evidence.
-- $1 after bigint
-- $2 before timestamptz
-- $3 limit integer
-- $4 clean_followed boolean
-- rows: one; last: the last status read, null when there are no more
-- plan: no sequential scan; a batch of statuses by key, each with look-ups by index; ids are made
--   of the times, so that later ones are not read
with examined as materialized (
  select s.id, s.account_id, s.conversation_id from statuses s
  where s.id > $1 and s.id < first_snowflake($2::timestamptz + interval '1 day') and s.created_at < $2 and not s.local
  order by s.id
  limit $3::integer
), removed as (
  delete from statuses s
  using examined l
  where s.id = l.id
    and ($4 or not exists (
      select from follows f join accounts a on a.id = f.account_id where f.target_account_id = l.account_id and a.domain is null
    ))
    and ($4 or not exists (
      select from statuses b
      join follows f on f.target_account_id = b.account_id
      join accounts a on a.id = f.account_id
      where b.reblog_of_id = l.id and a.domain is null
    ))
    and not exists (select from favourites f join accounts a on a.id = f.account_id where f.status_id = l.id and a.domain is null)
    and not exists (select from bookmarks b where b.status_id = l.id)
    and not exists (select from status_pins p where p.status_id = l.id)
    and not exists (select from statuses o where o.id in (s.in_reply_to_id, s.reblog_of_id) and o.local)
    and not exists (
      select from quotes q join statuses o on o.id = q.quoted_status_id where q.status_id = l.id and o.local
    )
    and not exists (
      select from quotes q join statuses o on o.id = q.status_id where q.quoted_status_id = l.id and o.local
    )
    and not exists (
      select from polls p
      join poll_votes v on v.poll_id = p.id
      join accounts a on a.id = v.account_id
      where p.status_id = l.id and a.domain is null
    )
    and not is_evidence(s)
    and not exists (select from statuses b where b.reblog_of_id = l.id and b.local)
    and not exists (select from statuses r where r.in_reply_to_id = l.id and r.local)
    and not exists (select from mentions m join accounts a on a.id = m.account_id where m.status_id = l.id and a.domain is null)
  returning s.id
), logged as (
  insert into events (kind, status_id) select 'status.counted', removed.id from removed
  returning event_json(events) as event
)
select
  (select max(examined.id) from examined) as last,
  (select count(*) from removed)::integer as removed,
  (select jsonb_agg(logged.event) from logged) as events
