-- remove_conversations: deletes those of these conversations that still have no status.
-- $1 ids bigint[]
-- rows: one for each that was deleted
-- plan: no sequential scan of statuses
delete from conversations c where c.id = any ((select $1::bigint[])::bigint[])
  and not exists (select from statuses s where s.conversation_id = c.id)
returning c.id
