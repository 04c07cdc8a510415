-- orphan_conversations: the conversations that are older than a time and have no status.
-- $1 before timestamptz
-- rows: one; total: all that are older
-- plan: sequential scans of conversations and statuses: rare, when old statuses are removed by
--   hand; a read, which does not delay the event log
select
  array(
    select c.id from conversations c
    where c.id < first_snowflake($1) and not exists (select from statuses s where s.conversation_id = c.id)
    order by c.id
  ) as ids,
  (select count(*)::integer from conversations c where c.id < first_snowflake($1)) as total
