-- remove_conversations: deletes conversations.
-- $1 ids bigint[]
-- rows: one for each
-- plan: no sequential scan of statuses
delete from conversations c where c.id = any ((select $1::bigint[])::bigint[]) returning c.id
